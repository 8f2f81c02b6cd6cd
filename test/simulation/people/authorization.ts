import type { Requirement } from '../../../src/catalog/payment-terms.ts'
import { createTerms, EVM_NETWORK, SVM_NETWORK } from '../../../src/payments/challenge/terms.ts'
import type { PaymentHeader } from '../../../src/payments/read/read-payment.ts'

export const EVM = EVM_NETWORK
export const SVM = SVM_NETWORK
export const PAY_TO = {
  evm: '0x00000000000000000000000000000000000000a1',
  svm: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
}

/** What a buyer signs, and the header that carries it. */
export type Authorization = {
  /** What the chain allows only once, worked out here without the reader's code. */
  key: string
  network: string
  payer: string
  nonce: string
  to: string
  value: number
  /** By the chain's time: `validBefore` on EVM, the end of the blockhash on Solana. */
  diesAtMs: number
  /** Only on Solana: nobody else can submit it. */
  feePayer: string | undefined
  /** False once somebody changed a field. */
  isGenuine: boolean
  identifier: string | undefined
  /** The x402 payload: the authorization and its signature, or the transaction. */
  payload: Record<string, unknown>
  header: PaymentHeader
}

export const isForSeller = ({ to }: { to: string }): boolean => to === PAY_TO.evm || to === PAY_TO.svm

const requirements = new Map<string, Requirement>()

/** The seller's terms for a price, as a 402 would offer them. */
export function requirementFor(value: number, feePayer: string | undefined): Requirement {
  const name = `${value} ${feePayer}`
  const known = requirements.get(name)
  if (known) return known
  const network = feePayer === undefined ? EVM : SVM
  const accepts = createTerms(PAY_TO, () => feePayer).accepts(String(value))
  const found = accepts.find((each) => each.network === network)
  if (!found) throw new Error(`${network} is not offered`)
  requirements.set(name, found)
  return found
}

/** Everything that anybody signed or forged in one schedule: what reaches a facilitator must be one of these. */
export type SignedBook = {
  note(authorization: Authorization): Authorization
  ofPayload(payload: Record<string, unknown>): Authorization
  ofKey(key: string): Authorization | undefined
  /** Genuine ones. */
  all(): Authorization[]
}

export function createSignedBook(): SignedBook {
  const byPayload = new Map<string, Authorization>()
  const byKey = new Map<string, Authorization>()
  return {
    note(authorization) {
      const name = nameOf(authorization.payload)
      // Only the envelope of a good payment was changed: facilitators do not get that.
      if (!byPayload.has(name)) byPayload.set(name, authorization)
      if (authorization.isGenuine) byKey.set(authorization.key, authorization)
      return authorization
    },
    ofPayload(payload) {
      const found = byPayload.get(nameOf(payload.payload as Record<string, unknown>))
      if (!found) throw new Error('a payment that nobody signed')
      return found
    },
    ofKey: (key) => byKey.get(key),
    all: () => [...byKey.values()],
  }
}

/** Every field counts, and the signature. */
function nameOf({ transaction, signature, authorization }: Record<string, unknown>): string {
  if (typeof transaction === 'string') return transaction
  return `${signature} ${Object.values(authorization as object).join()}`
}
