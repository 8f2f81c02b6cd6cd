import type { DueRow, PaymentRow, PaymentState, UnfinishedRow } from '../../ports/payment-book.ts'
import { findNumber, findText } from '../columns.ts'
import type { Columns, Query } from '../database.ts'

export const COLUMNS = `p.key, p.id, p.fingerprint, p.identifier, p.product_id, p.request, p.payer, p.network, p.asset, p.amount,
  p.pay_to, p.payment, p.claimed_at_ms, p.state, p.facilitator, p.tx, p.settled_at_ms, p.receipt, p.revived`

/** Rows with their replies; `rest` follows the join. */
export const selectRows = (rest: string) => `
  SELECT ${COLUMNS}, r.text AS reply_text, r.as_of_ms AS reply_as_of_ms
  FROM payments p LEFT JOIN replies r ON r.payment = p.seq ${rest}`

export async function listRows(query: Query, sql: string, values: readonly unknown[]): Promise<PaymentRow[]> {
  return (await query(sql, values)).rows.map(toRow)
}

export async function findRow(
  query: Query,
  sql: string,
  values: readonly unknown[],
): Promise<PaymentRow | undefined> {
  return (await listRows(query, sql, values))[0]
}

export const toUnfinished = ({ key, id, payer, state, claimed_at_ms }: Columns): UnfinishedRow => ({
  key: String(key),
  id: String(id),
  payer: String(payer),
  state: String(state) as PaymentState,
  claimedAtMs: Number(claimed_at_ms),
})

export const toRow = (record: Columns): PaymentRow => ({ ...toDue(record), reply: toReply(record) })

export function toDue(record: Columns): DueRow {
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
