import type { DatabaseSync } from 'node:sqlite'
import type { Usd } from '../../../core/money.ts'
import type { Page, Purchased } from '../../ports/payment-book-queries.ts'
import { type Columns, findText, prepareExact } from '../columns.ts'
import { isKept, LOST_OF_PAYER } from './lost.ts'
import { toSum } from './sums.ts'

/** The page is found in the index alone: rows that are skipped are never read. */
const OF_PAYER = `
  SELECT p.id, p.product_id, p.request, p.network, p.asset, p.amount, p.tx, p.settled_at_ms,
    EXISTS (SELECT 1 FROM replies r WHERE r.payment = p.seq) AS has_reply
  FROM (
    SELECT seq FROM payments INDEXED BY payments_payer WHERE payer = ? AND state = 'settled' AND ${isKept('payments')}
    ORDER BY settled_at_ms DESC, seq DESC LIMIT ? OFFSET ?
  ) page JOIN payments p ON p.seq = page.seq ORDER BY p.settled_at_ms DESC, p.seq DESC`

/** Skipping takes its time with every row that is skipped. */
export function preparePurchases(db: DatabaseSync) {
  const ofPayer = db.prepare(OF_PAYER)
  const bought = prepareExact(db, 'SELECT sales, high, low FROM sales_payers WHERE payer = ?')
  const lost = prepareExact(db, LOST_OF_PAYER)
  return (payer: string, { limit, offset }: Page) => {
    const [all, less] = [toSum(bought.get(payer) ?? {}), toSum(lost.get(payer) ?? {})]
    return {
      count: all.count + less.count,
      revenue: (all.revenue + less.revenue) as Usd,
      rows: ofPayer.all(payer, limit, offset).map(toPurchased),
    }
  }
}

function toPurchased(row: Columns): Purchased {
  return {
    id: String(row.id),
    productId: String(row.product_id),
    request: String(row.request),
    network: String(row.network),
    asset: String(row.asset),
    amount: String(row.amount),
    transaction: findText(row.tx),
    settledAtMs: Number(row.settled_at_ms),
    hasReply: Number(row.has_reply) === 1,
  }
}
