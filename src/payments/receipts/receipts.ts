import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { Receipts } from '../gate/ports.ts'
import { signJws } from './jws.ts'
import { OFFER_RECEIPT_VERSION } from './offers.ts'
import type { ServiceKey } from './service-key.ts'
import { contentDigestOf } from './settle-response.ts'

/** Signs what was delivered for which payment: the extension's fields, plus those that bind it to the exact reply. */
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
    // The reply is deleted only where a payment was void for a day and then moved after all.
    ...(reply && { contentDigest: contentDigestOf(reply.text) }),
  }
}

/** From `GET /price/BTC` to `/price/BTC`, as in the challenge. */
function resourceOf(request: string): string {
  return request.slice(request.indexOf(' ') + 1)
}
