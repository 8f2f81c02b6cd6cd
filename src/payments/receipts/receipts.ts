import { availableParallelism } from 'node:os'
import type { Mode } from '../../config/variables/variable.ts'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { Receipts } from '../gate/ports.ts'
import { signJws, signJwsAside } from './jws.ts'
import { OFFER_RECEIPT_VERSION } from './offers.ts'
import type { ServiceKey } from './service-key.ts'
import { contentDigestOf } from './settle-response.ts'

type Ports = { key: ServiceKey; baseUrl: string; mode: Mode; cores?: number }

/**
 * Signs what was delivered for which payment: the extension's fields, those that bind it to the exact reply, and the
 * mode, so that a receipt for play money never passes for another. Where there is a second core, it signs.
 */
export function createReceipts({ key, baseUrl, mode, cores = availableParallelism() }: Ports): Receipts {
  const signText = cores > 1 ? signJwsAside : signJws
  return {
    sign: async (row, transaction, nowMs) =>
      signText(key, { ...receiptOf(row, baseUrl, transaction, nowMs), mode }),
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
