import type { PaymentLedger } from '../../ledger/ports/payment-book-queries.ts'
import type { PurchaseRecord } from '../../products/payments/services.ts'
import { readOwnJws } from '../receipts/jws.ts'
import { contentDigestOf } from '../receipts/settle-response.ts'

type Ledger = Pick<PaymentLedger, 'findById' | 'findReceipt'>

export function createFindPurchase(ledger: Ledger): (id: string) => Promise<PurchaseRecord | undefined> {
  return async (id) => {
    const row = await ledger.findById(id)
    if (!row) return undefined
    const receipt = await ledger.findReceipt(id)
    const contentDigest = row.reply ? contentDigestOf(row.reply.text) : findSignedDigest(receipt)
    return { ...row, receipt, contentDigest }
  }
}

/** The receipt is kept longer than the reply it was signed for. */
function findSignedDigest(receipt: string | undefined): string | undefined {
  const digest = receipt === undefined ? undefined : readOwnJws(receipt).contentDigest
  return typeof digest === 'string' ? digest : undefined
}
