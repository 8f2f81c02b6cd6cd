import { z } from 'zod'
import { parseAtomic, toUsdNumber } from '../../core/money.ts'
import {
  type FinalityOverview,
  UNDONE_LISTED,
  UNDONE_STATES,
  type UndonePayment,
} from '../../ledger/ports/finality-book.ts'
import { isoTime } from '../../products/fields.ts'
import { Revenue, toRevenue } from '../../products/payments/x402-fields.ts'
import { OptionalTime, toOptionalTime } from '../fields.ts'

export const Undone = z
  .object({
    lost: Revenue.describe('Taken back by the chain for good: in no sum of revenue'),
    open: Revenue.describe('Taken back, and still payable: settled again meanwhile, and in the sums'),
    paid_again: Revenue.describe('Taken back, and paid in another block or transaction'),
    unseen: Revenue.describe('No node could say whether they stand'),
    newest: z
      .array(
        z.object({
          state: z.enum(UNDONE_STATES).describe('What became of it so far'),
          product_id: z.string().min(1),
          wallet: z.string().min(1),
          network: z.string().min(1),
          amount_usdc: z.number().min(0),
          settled_at: z.iso.datetime(),
          found_at: z.iso.datetime().describe('When it was seen to be taken back'),
          decided_at: OptionalTime.describe('When it was paid again or lost for good; null before'),
          transaction: z.string().min(1).describe('The one that was taken back'),
          new_transaction: z
            .string()
            .min(1)
            .nullable()
            .describe('The one that paid again; null where there is none'),
        }),
      )
      .describe(`The last ${UNDONE_LISTED} that were found`),
    final_until: z
      .array(
        z.object({ network: z.string().min(1), at: z.iso.datetime().describe('Settled up to this time') }),
      )
      .describe('Up to when settled payments were looked at again, once their blocks were final'),
  })
  .describe('Settled payments that a reorganisation of the chain took back')

export function toUndone({ undone, newest, marks }: FinalityOverview): z.input<typeof Undone> {
  return {
    lost: toRevenue(undone.lost),
    open: toRevenue(undone.open),
    paid_again: toRevenue(undone.paid),
    unseen: toRevenue(undone.unseen),
    newest: newest.map(toNewest),
    final_until: marks.map(({ network, settledAtMs }) => ({ network, at: isoTime(settledAtMs) })),
  }
}

function toNewest(row: UndonePayment): z.input<typeof Undone>['newest'][number] {
  return {
    state: row.state,
    product_id: row.productId,
    wallet: row.payer,
    network: row.network,
    amount_usdc: toUsdNumber(parseAtomic(row.amount)),
    settled_at: isoTime(row.settledAtMs),
    found_at: isoTime(row.foundAtMs),
    decided_at: toOptionalTime(row.decidedAtMs),
    transaction: row.transaction,
    new_transaction: row.newTransaction ?? null,
  }
}
