import type { PaymentRow } from './ports/payment-book.ts'
import type { Outcome, SettledRow } from './ports/payment-book-queries.ts'

/** The prepared row with this outcome, as a query would return it. */
export function settledRow(known: PaymentRow, { receipt, ...outcome }: Outcome): SettledRow {
  const reply = known.reply && { ...known.reply, receipt: receipt ?? known.reply.receipt }
  return { ...known, ...outcome, state: 'settled', reply, revived: false }
}
