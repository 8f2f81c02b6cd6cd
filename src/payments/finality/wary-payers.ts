import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { FinalityBook } from '../../ledger/ports/finality-book.ts'

/** Payers of whom only what is final counts: looked up with every payment, so they are kept in memory. */
export type WaryPayers = {
  has(payer: string): boolean
  /** Reads them anew from the ledger. */
  load(): Promise<void>
}

/** After a payment was lost. */
export const WARY_FOR_MS = 30 * DAY_MS

export function createWaryPayers(clock: Clock, book: Pick<FinalityBook, 'payersUndone'>): WaryPayers {
  let untilMs = new Map<string, number>()
  return {
    has(payer) {
      if (untilMs.size === 0) return false
      const until = untilMs.get(payer.toLowerCase())
      return until !== undefined && clock.now() < until
    },
    async load() {
      const found = await book.payersUndone(clock.now() - WARY_FOR_MS)
      untilMs = new Map(
        found.map(({ payer, lostAtMs }) => [
          payer.toLowerCase(),
          lostAtMs === undefined ? Number.POSITIVE_INFINITY : lostAtMs + WARY_FOR_MS,
        ]),
      )
    },
  }
}
