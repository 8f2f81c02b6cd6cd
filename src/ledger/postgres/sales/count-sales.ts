import type { Clock } from '../../../core/time/clock.ts'
import { createLater, type Later } from '../../later.ts'
import type { Database } from '../database.ts'

/** Payments that are counted at once: some tenths of a second of the server's work. */
const PORTION = 5_000

/** `run` ends when every settled payment is in the sums. */
export function createSalesCount({ query }: Database, clock: Clock): Later {
  return createLater(clock, async () => {
    for (let counted = PORTION; counted === PORTION; ) {
      const { rows } = await query('SELECT count_sales($1) AS counted', [PORTION])
      counted = Number(rows[0]?.counted)
    }
  })
}
