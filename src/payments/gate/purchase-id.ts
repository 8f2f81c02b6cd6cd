import { randomFillSync } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { Random } from './ports.ts'

const TIME_DIGITS = 12
/** 80 bits: nobody finds a purchase by guessing. */
const RANDOM_BYTES = 10
/** Drawn at once; one draw for each purchase would take longer than all the rest of it. */
const POOLED = 256

/**
 * Names of purchases: 32 hex digits, the first of them the time, so that the ledger's index grows at its end and is not
 * written all over.
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
