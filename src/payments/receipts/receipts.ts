import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { Receipts } from '../gate/ports.ts'
import { signJws } from './jws.ts'
import { OFFER_RECEIPT_VERSION } from './offers.ts'
import type { ServiceKey } from './service-key.ts'
import { contentDigestOf } from './settle-response.ts'

/** Signs what was delivered for which payment: the extension's own fields, and beside them what binds it to the bytes. */
export function createReceipts({ key, baseUrl }: { key: ServiceKey; baseUrl: string }): Receipts {
  return {
    sign: async (row, transaction, nowMs) => signJws(key, receiptOf(row, baseUrl, transaction, nowMs)),
  }
}

function receiptOf(row: PaymentRow, baseUrl: string, transaction: string, nowMs: number) {
  const { id, network, payer, productId, amount, request, reply } = row
  return {
    version: OFFER_RECEIPT_VERSION,
    network,
    resourceUrl: baseUrl + resourceOf(request),
    payer,
    issuedAt: Math.floor(nowMs / 1000),
    transaction,
    id,
    productId,
    amount,
    // A reply is gone only where a payment counted as void for a day and moved after all.
    ...(reply && { contentDigest: contentDigestOf(reply.text) }),
  }
}

/** `GET /price/BTC` is a request; `/price/BTC` is what the challenge called the resource. */
function resourceOf(request: string): string {
  return request.slice(request.indexOf(' ') + 1)
}
