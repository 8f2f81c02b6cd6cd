import type { PaymentRow, PaymentState } from '../../ports/payment-book.ts'
import { findNumber, findText } from '../columns.ts'
import type { Columns, Query } from '../database.ts'

const COLUMNS = `p.key, p.id, p.fingerprint, p.identifier, p.product_id, p.request, p.payer, p.network, p.asset, p.amount,
  p.pay_to, p.payment, p.boot_id, p.claimed_at_ms, p.state, p.facilitator, p.tx, p.settled_at_ms, p.receipt, p.revived`

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

export function toRow(record: Columns): PaymentRow {
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
    bootId: String(record.boot_id),
    claimedAtMs: Number(record.claimed_at_ms),
    // The table's own CHECK allows no other text.
    state: String(record.state) as PaymentState,
    reply: toReply(record),
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
