import { randomFillSync } from 'node:crypto'
import type { Clock } from '../../core/time/clock.ts'
import type { Random } from './ports.ts'

const TIME_DIGITS = 12
/** 80 bits: a purchase cannot be found by guessing. */
const RANDOM_BYTES = 10
/** Drawn at once: a draw per purchase would take longer than the rest of making an id. */
const POOLED = 256

/**
 * Purchase ids of 32 hex digits. They begin with the time, so that new ones go to the end of the ledger's index.
 */
export function createPurchaseIds(clock: Clock): Random {
  const pool = Buffer.alloc(POOLED * RANDOM_BYTES)
  let used = POOLED
  return {
    id() {
      if (used === POOLED) {
        randomFillSync(pool)
        used = 0
      }
      const from = used++ * RANDOM_BYTES
      const random = pool.toString('hex', from, from + RANDOM_BYTES)
      return clock.now().toString(16).padStart(TIME_DIGITS, '0') + random
    },
  }
}
