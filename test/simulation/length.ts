import type { Seeded } from '../../src/testing/seeded.ts'
import type { Faults } from './faults.ts'

/** How long a story goes on. */
export type Length = {
  /** From the beginning until everything works again. */
  calmInMs: readonly [number, number]
  /** People come again, after the seller has looked at their first payments once more. */
  isLong: boolean
  /** It ends when the seller has looked at every settled payment again, and not before. */
  isToTheEnd: boolean
}

const SHORT_MS = [5_000, 25_000] as const
/** A settled payment is looked at again after a minute at the earliest: the faults must last for longer than that. */
const LONG_MS = [70_000, 140_000] as const

/** Where blocks are undone the end is always worth seeing. */
export function drawLength(random: Seeded, faults: Faults): Length {
  const isToTheEnd = random.chance(0.1) || faults.reorganisation > 0
  const isLong = isToTheEnd && random.chance(0.4)
  return { calmInMs: isLong ? LONG_MS : SHORT_MS, isLong, isToTheEnd }
}
