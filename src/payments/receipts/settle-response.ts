import { createHash } from 'node:crypto'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import { V1_NAMES } from '../challenge/terms.ts'
import { OFFER_RECEIPT } from './offers.ts'

/** The settlement as `PAYMENT-RESPONSE` carries it and, with the network's v1 name, `X-PAYMENT-RESPONSE`. */
export type SettleResponse = {
  success: true
  transaction: string
  network: string
  payer: string
  amount: string
  extensions?: Record<string, unknown>
}

/** Throws for a row that is not settled. */
export function settleResponse(row: PaymentRow, version: 1 | 2): SettleResponse {
  const { transaction, payer, amount, reply } = row
  if (row.state !== 'settled' || transaction === undefined) throw new Error(`${row.key} is ${row.state}`)
  const network = version === 1 ? (V1_NAMES.get(row.network) ?? row.network) : row.network
  const settled = { success: true, transaction, network, payer, amount } as const
  return reply?.receipt === undefined
    ? settled
    : { ...settled, extensions: { [OFFER_RECEIPT]: receiptExtension(reply.receipt) } }
}

/** A `Content-Digest` value (RFC 9530) over the exact bytes of a body. */
export const contentDigestOf = createContentDigest()

/** Keeps the last one: the same reply is sold over and over, and needs its digest in the receipt and in the header. */
function createContentDigest(): (text: string) => string {
  let last: { text: string; digest: string } | undefined
  return (text) => {
    if (last?.text !== text) {
      const digest = createHash('sha256').update(text).digest('base64')
      last = { text, digest: `sha-256=:${digest}:` }
    }
    return last.digest
  }
}

function receiptExtension(signature: string) {
  return {
    info: { receipt: { format: 'jws', signature } },
    schema: { type: 'object', required: ['receipt'] },
  }
}
