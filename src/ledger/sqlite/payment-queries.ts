import type { DatabaseSync } from 'node:sqlite'
import type { Usd } from '../../core/money.ts'
import { DAY_MS } from '../../core/time/time.ts'
import {
  PAYERS_LISTED,
  type Page,
  type PayerSum,
  type PaymentBookQueries,
  type PaymentTotals,
  type Purchased,
  type TotalsQuery,
} from '../ports/payment-book-queries.ts'
import { foldSales } from '../totals.ts'
import { type Columns, findText, prepareExact } from './columns.ts'
import type { GroupCommit } from './group-commit.ts'
import { prepareRows } from './payment-row.ts'
import { createSqlitePurge } from './purge.ts'

export function createSqlitePaymentQueries(db: DatabaseSync, commit: GroupCommit): PaymentBookQueries {
  const totals = prepareTotals(db)
  const byTransaction = prepareRows(
    db,
    'WHERE p.tx IS NOT NULL AND lower(p.tx) = lower(?) AND p.network = ? ORDER BY p.seq',
  )
  const purchases = preparePurchases(db)
  const receipt = db.prepare('SELECT receipt FROM payments WHERE id = ? AND receipt IS NOT NULL')
  return {
    totals: (query) => commit.read(() => totals(query)),
    findByTransaction: (network, transaction) => commit.read(() => byTransaction.list(transaction, network)),
    purchasesOf: (payer, page) => commit.read(() => purchases(payer, page)),
    findReceipt: (id) =>
      commit.read(() => {
        const row = receipt.get(id)
        return row && String(row.receipt)
      }),
    purgeReplies: createSqlitePurge(db, commit),
  }
}

/** Sums in two halves: SUM() over whole amounts would overflow 63 bits after ten of the largest. */
const HALF = 1_000_000_000n
const SUMS = `count(*) AS count, sum(atomic / ${HALF}) AS high, sum(atomic % ${HALF}) AS low`
// The index is named because the planner would rather walk every payer ever seen than the last day's rows.
const chosen = (index: 'payments_settled' | 'payments_payer') => `
  FROM payments INDEXED BY ${index} WHERE state = 'settled' AND settled_at_ms >= :sinceMs
  AND lower(payer) NOT IN (SELECT lower(value) FROM json_each(:except))`
const SALES = `
  SELECT settled_at_ms / ${DAY_MS} AS day, product_id, network, ${SUMS} ${chosen('payments_settled')} GROUP BY 1, 2, 3`
const perPayer = (from: string) => `
  SELECT payer, count(*) OVER () AS payers, min(settled_at_ms) AS first_ms, max(settled_at_ms) AS last_ms, ${SUMS} ${from}
  GROUP BY payer ORDER BY sum(atomic / ${HALF}) * 1.0 * ${HALF} + sum(atomic % ${HALF}) DESC, payer LIMIT ${PAYERS_LISTED}`

/** The page is found in the index alone: rows that are skipped are never read. */
const OF_PAYER = `
  SELECT p.id, p.product_id, p.request, p.network, p.asset, p.amount, p.tx, p.settled_at_ms,
    EXISTS (SELECT 1 FROM replies r WHERE r.payment = p.seq) AS has_reply
  FROM (
    SELECT seq FROM payments INDEXED BY payments_payer WHERE payer = ? AND state = 'settled'
    ORDER BY settled_at_ms DESC, seq DESC LIMIT ? OFFSET ?
  ) page JOIN payments p ON p.seq = page.seq ORDER BY p.settled_at_ms DESC, p.seq DESC`

function preparePurchases(db: DatabaseSync) {
  const ofPayer = db.prepare(OF_PAYER)
  const spent = prepareExact(db, `SELECT ${SUMS} FROM payments WHERE payer = ? AND state = 'settled'`)
  return (payer: string, { limit, offset }: Page) => ({
    ...toSum(spent.get(payer) as Columns),
    rows: ofPayer.all(payer, limit, offset).map(toPurchased),
  })
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

function prepareTotals(db: DatabaseSync): (query: TotalsQuery) => PaymentTotals {
  const sales = prepareExact(db, SALES)
  const payersSince = prepareExact(db, perPayer(chosen('payments_settled')))
  const payersEver = prepareExact(db, perPayer(chosen('payments_payer')))
  return ({ sinceMs, exceptPayers }) => {
    const values = { sinceMs: sinceMs ?? 0, except: JSON.stringify(exceptPayers) }
    const groups = sales.all(values).map((row) => ({
      ...toSum(row),
      day: Number(row.day),
      productId: String(row.product_id),
      network: String(row.network),
    }))
    const payers = (sinceMs === undefined ? payersEver : payersSince).all(values)
    return { ...foldSales(groups), payers: Number(payers[0]?.payers ?? 0), perPayer: payers.map(toPayerSum) }
  }
}

function toPayerSum(row: Columns): PayerSum {
  return {
    ...toSum(row),
    payer: String(row.payer),
    firstMs: Number(row.first_ms),
    lastMs: Number(row.last_ms),
  }
}

function toSum({ count, high, low }: Columns): { count: number; revenue: Usd } {
  return { count: Number(count), revenue: (findHalf(high) * HALF + findHalf(low)) as Usd }
}

/** A sum over no rows is null. */
const findHalf = (sum: Columns[string] | undefined): bigint => BigInt((sum ?? 0n) as bigint)
