/** At once: a store refuses writers that would wait too long for their turn. */
const AT_ONCE = 100

/** `count` calls, as many at once as a store takes. */
export async function inPortions<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) {
    const size = Math.min(AT_ONCE, count - made.length)
    made.push(...(await Promise.all(Array.from({ length: size }, (_, n) => make(made.length + n)))))
  }
  return made
}
