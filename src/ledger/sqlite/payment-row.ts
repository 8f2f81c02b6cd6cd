import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { PaymentRow, PaymentState } from '../ports/payment-book.ts'

type Record = { [column: string]: SQLOutputValue }
export type FindRow = (...values: SQLInputValue[]) => PaymentRow | undefined
export type ListRows = (...values: SQLInputValue[]) => PaymentRow[]

/** Not `p.*`: `atomic` can be too large for a number, and only sums need it. */
const COLUMNS = `p.key, p.id, p.fingerprint, p.identifier, p.product_id, p.request, p.payer, p.network, p.asset, p.amount,
  p.pay_to, p.payment, p.boot_id, p.claimed_at_ms, p.state, p.facilitator, p.tx, p.settled_at_ms, p.receipt`

/** A query for rows with their replies; `rest` follows the join. */
export function prepareRows(db: DatabaseSync, rest: string): { find: FindRow; list: ListRows } {
  const statement = db.prepare(`
    SELECT ${COLUMNS}, r.text AS reply_text, r.as_of_ms AS reply_as_of_ms
    FROM payments p LEFT JOIN replies r ON r.payment = p.seq ${rest}
  `)
  return {
    find(...values) {
      const record = statement.get(...values)
      return record && toRow(record)
    },
    list: (...values) => statement.all(...values).map(toRow),
  }
}

function toRow(record: Record): PaymentRow {
  return {
    key: String(record.key),
    id: String(record.id),
    fingerprint: String(record.fingerprint),
    identifier: text(record.identifier),
    productId: String(record.product_id),
    request: String(record.request),
    payer: String(record.payer),
    network: String(record.network),
    asset: String(record.asset),
    amount: String(record.amount),
    payTo: String(record.pay_to),
    payment: String(record.payment),
    bootId: String(record.boot_id),
    claimedAtMs: Number(record.claimed_at_ms),
    // The table's own CHECK allows no other text.
    state: String(record.state) as PaymentState,
    reply: toReply(record),
    facilitator: text(record.facilitator),
    transaction: text(record.tx),
    settledAtMs: count(record.settled_at_ms),
  }
}

function toReply(record: Record): PaymentRow['reply'] {
  if (record.reply_text === null) return undefined
  return {
    text: String(record.reply_text),
    asOfMs: count(record.reply_as_of_ms),
    receipt: text(record.receipt),
  }
}

const text = (value: SQLOutputValue | undefined) => (value == null ? undefined : String(value))
const count = (value: SQLOutputValue | undefined) => (value == null ? undefined : Number(value))
