import type { Usd } from '../../core/money.ts'
import { EVERY_PROCESS } from '../../ledger/ports/payment-book.ts'
import {
  PAYERS_LISTED,
  type PaymentLedger,
  type PaymentTotals,
} from '../../ledger/ports/payment-book-queries.ts'
import type { SalesOverview } from '../../products/payments/services.ts'

type Ports = { ledger: PaymentLedger; operatorWallets: readonly string[] }

export function createOverview({ ledger, operatorWallets }: Ports): () => Promise<SalesOverview> {
  return async () => {
    const [customers, all, unfinished] = await Promise.all([
      ledger.totals({ exceptPayers: operatorWallets }),
      ledger.totals({ exceptPayers: [] }),
      ledger.unfinished(EVERY_PROCESS),
    ])
    const unsettled = unfinished.filter(({ state }) => state === 'settling')
    return {
      customers,
      payers: customers.payers,
      perNetwork: customers.perNetwork,
      own: { count: all.count - customers.count, revenue: (all.revenue - customers.revenue) as Usd },
      lastSettledMs: await findLast(ledger, all),
      unsettled: {
        count: unsettled.length,
        oldestMs: unsettled.length === 0 ? undefined : Math.min(...unsettled.map((row) => row.claimedAtMs)),
      },
    }
  }
}

/** Each look leaves far fewer wallets; the limit is reached only if thousands pay in one millisecond. */
const LOOKS_LIMIT = 10

/** Totals list only the wallets that paid most; the newest payment may be by another one. */
async function findLast(ledger: PaymentLedger, all: PaymentTotals): Promise<number | undefined> {
  let last = latestOf(all)
  let seen = all
  for (let look = 0; look < LOOKS_LIMIT && seen.payers > PAYERS_LISTED; look++) {
    seen = await ledger.totals({ sinceMs: last, exceptPayers: [] })
    last = latestOf(seen)
  }
  return last
}

function latestOf({ perPayer }: PaymentTotals): number | undefined {
  return perPayer.length === 0 ? undefined : Math.max(...perPayer.map(({ lastMs }) => lastMs))
}
