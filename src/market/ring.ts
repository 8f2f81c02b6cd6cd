/** The newest `capacity` items; the oldest is dropped. */
export type Ring<T> = {
  push(item: T): void
  /** At most `count` of the newest, oldest first. */
  last(count: number): readonly T[]
  /** Takes the place of all that it holds; oldest first. */
  restore(items: readonly T[]): void
  readonly newest: T | undefined
  readonly size: number
}

export function createRing<T>({ capacity }: { capacity: number }): Ring<T> {
  if (!Number.isSafeInteger(capacity) || capacity < 1) throw new RangeError('capacity must be at least 1')
  const slots: T[] = []
  let next = 0
  const push = (item: T) => {
    slots[next] = item
    next = next + 1 === capacity ? 0 : next + 1
  }
  return {
    push,
    restore(items) {
      slots.length = 0
      next = 0
      for (const item of items.slice(-capacity)) push(item)
    },
    last(count) {
      const wanted = Math.min(Math.max(0, Math.floor(count)), slots.length)
      const start = next - wanted
      return start >= 0 ? slots.slice(start, next) : [...slots.slice(start), ...slots.slice(0, next)]
    },
    get newest() {
      return slots.at(next - 1)
    },
    get size() {
      return slots.length
    },
  }
}
