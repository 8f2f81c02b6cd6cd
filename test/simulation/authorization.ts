import type { Requirement } from '../../src/catalog/payment-terms.ts'
import type { Payment } from '../../src/payments/gate/payment.ts'

export const PAY_TO = 'seller'
export const EVM = 'eip155:8453'
export const SVM = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

/** What a buyer signs. Plain JSON: it goes through the ledger and comes back in another process. */
export type Authorization = {
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
}

export const keyOf = ({ network, payer, nonce }: Authorization): string => `${network}/usdc/${payer}/${nonce}`

/** As the reader of payment headers hands it over: the requirement is the seller's own. */
export function toPayment(authorization: Authorization, price: number): Payment {
  const { network, payer, feePayer, identifier, diesAtMs } = authorization
  const extra: Requirement['extra'] = feePayer === undefined ? { name: 'USD Coin' } : { feePayer }
  return {
    version: 2,
    key: keyOf(authorization),
    network,
    payer,
    payload: { authorization },
    requirement: {
      scheme: 'exact',
      network,
      amount: String(price),
      asset: 'usdc',
      payTo: PAY_TO,
      maxTimeoutSeconds: 300,
      extra,
    },
    validBeforeMs: feePayer === undefined ? diesAtMs : undefined,
    digest: JSON.stringify(authorization),
    identifier,
  }
}

export const authorizationIn = (payload: Record<string, unknown>): Authorization =>
  payload.authorization as Authorization
