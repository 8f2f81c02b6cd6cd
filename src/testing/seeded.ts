/** Every choice of a test comes from one of these, so that its seed repeats it. */
export type Seeded = {
  /** At least 0, below 1. */
  fraction(): number
  /** Whole numbers, both ends included. */
  between(from: number, to: number): number
  /** A whole number from 0 to `count` - 1. */
  below(count: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly [T, ...T[]]): T
}

/** The seed is scrambled first: neighbouring seeds give unrelated sequences. */
export function createSeeded(seed: number): Seeded {
  const fraction = seededRandom(Math.imul(seed ^ (seed >>> 16), 0x45d9f3b))
  const between = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1))
  return {
    fraction,
    between,
    below: (count) => between(0, count - 1),
    chance: (probability) => fraction() < probability,
    pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
  }
}

/** Fractions from 0 up to but not including 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
