import { seededRandom } from '../../src/testing/seeded.ts'

/** Every choice of a schedule comes from one of these: the seed is the schedule. */
export type Seeded = {
  /** At least 0, below 1. */
  fraction(): number
  /** Whole numbers, both ends included. */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly [T, ...T[]]): T
}

/** The seed is scrambled first: neighbouring seeds give unrelated schedules. */
export function createSeeded(seed: number): Seeded {
  const fraction = seededRandom(Math.imul(seed ^ (seed >>> 16), 0x45d9f3b))
  const between = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1))
  return {
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
  }
}
