import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { DueRow, PaymentRow, PaymentState, UnfinishedRow } from '../ports/payment-book.ts'
import { type Columns, findNumber, findText } from './columns.ts'

export type FindRow = (...values: SQLInputValue[]) => PaymentRow | undefined
export type ListRows = (...values: SQLInputValue[]) => PaymentRow[]

/** Not `p.*`: `atomic` can be too large for a number, and only sums need it. */
const COLUMNS = `p.key, p.id, p.fingerprint, p.identifier, p.product_id, p.request, p.payer, p.network, p.asset, p.amount,
  p.pay_to, p.payment, p.claimed_at_ms, p.state, p.facilitator, p.tx, p.settled_at_ms, p.receipt`

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

export function prepareUnfinished(db: DatabaseSync): () => UnfinishedRow[] {
  const statement = db.prepare(`
    SELECT key, id, payer, state, claimed_at_ms FROM payments
    WHERE state IN ('claimed', 'settling') ORDER BY claimed_at_ms, seq
  `)
  return () => statement.all().map(toUnfinished)
}

const toUnfinished = ({ key, id, payer, state, claimed_at_ms }: Columns): UnfinishedRow => ({
  key: String(key),
  id: String(id),
  payer: String(payer),
  state: String(state) as PaymentState,
  claimedAtMs: Number(claimed_at_ms),
})

export function prepareDue(db: DatabaseSync): (key: string) => DueRow | undefined {
  const statement = db.prepare(`SELECT ${COLUMNS} FROM payments p WHERE p.key = ?`)
  return (key) => {
    const record = statement.get(key)
    return record && toDue(record)
  }
}

const toRow = (record: Columns): PaymentRow => ({ ...toDue(record), reply: toReply(record) })

function toDue(record: Columns): DueRow {
  return {
    key: String(record.key),
    id: String(record.id),
    fingerprint: String(record.fingerprint),
    identifier: findText(record.identifier),
    productId: String(record.product_id),
    request: String(record.request),
    payer: String(record.payer),
    network: String(record.network),
    asset: String(record.asset),
    amount: String(record.amount),
    payTo: String(record.pay_to),
    payment: String(record.payment),
    claimedAtMs: Number(record.claimed_at_ms),
    // The table's own CHECK allows no other text.
    state: String(record.state) as PaymentState,
    facilitator: findText(record.facilitator),
    transaction: findText(record.tx),
    settledAtMs: findNumber(record.settled_at_ms),
  }
}

function toReply(record: Columns): PaymentRow['reply'] {
  if (record.reply_text === null) return undefined
  return {
    text: String(record.reply_text),
    asOfMs: findNumber(record.reply_as_of_ms),
    receipt: findText(record.receipt),
  }
}
