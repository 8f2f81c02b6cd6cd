import { z } from 'zod'
import type { DecisionRow } from '../../ledger/ports/bot-book.ts'
import { isoTime } from '../../products/fields.ts'
import { Account, CoinName, toAccount, WindowStart } from '../fields.ts'

export const Decision = z.object({
  ...Account.shape,
  coin: CoinName,
  window_start: WindowStart,
  attempt: z.int().min(1),
  at: z.iso.datetime(),
  action: z.enum(['buy', 'none']),
  reason: z.string().min(1).describe('Name of the rule that decided'),
  facts: z.record(z.string(), z.unknown()).describe('The numbers that it saw'),
})

export const toDecision = (row: DecisionRow): z.input<typeof Decision> => ({
  ...toAccount(row.broker),
  coin: row.coin,
  window_start: row.windowStartS,
  attempt: row.attempt,
  at: isoTime(row.atMs),
  action: row.action,
  reason: row.reason,
  facts: readFacts(row.facts),
})

/** Written by another release, or by a hand: what is no object is shown as it is. */
function readFacts(text: string): Record<string, unknown> {
  try {
    const facts: unknown = JSON.parse(text)
    if (typeof facts === 'object' && facts !== null && !Array.isArray(facts)) return { ...facts }
  } catch {
    // Shown below.
  }
  return { text }
}
