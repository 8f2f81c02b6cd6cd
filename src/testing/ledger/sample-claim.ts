import type { Claim, StoredReply } from '../../ledger/ports/payment-book.ts'
import type { Outcome } from '../../ledger/ports/payment-book-queries.ts'

/** A claim; a test gives only the fields that it is about. `key` makes it unique. */
export function sampleClaim(key: string, given: Partial<Claim> = {}): Claim {
  return {
    key,
    id: `id of ${key}`,
    fingerprint: `print of ${key}`,
    identifier: undefined,
    productId: 'price.token',
    request: 'GET /price/BTC',
    payer: `0x${'aA'.repeat(20)}`,
    network: 'eip155:8453',
    asset: `0x${'bb'.repeat(20)}`,
    amount: '1000',
    payTo: `0x${'cc'.repeat(20)}`,
    payment: '{"x402Version":2}',
    claimedAtMs: 1_000,
    ...given,
  }
}

export const sampleReply = (given: Partial<StoredReply> = {}): StoredReply => ({
  text: '{"price":"60000.5","note":"ü\\u0000 \\"quoted\\""}',
  asOfMs: 999,
  receipt: undefined,
  ...given,
})

export const sampleOutcome = (given: Partial<Outcome> = {}): Outcome => ({
  transaction: `0x${'dd'.repeat(32)}`,
  facilitator: 'https://facilitator.example',
  settledAtMs: 2_000,
  receipt: 'signed receipt',
  ...given,
})
