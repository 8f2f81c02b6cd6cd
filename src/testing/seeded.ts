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

/** Mulberry32 over a scrambled seed: neighbouring seeds give unrelated sequences. */
export function createSeeded(seed: number): Seeded {
  let state = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b) >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1))
  return {
    fraction,
    between,
    below: (count) => between(0, count - 1),
    chance: (probability) => fraction() < probability,
    pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
  }
}
