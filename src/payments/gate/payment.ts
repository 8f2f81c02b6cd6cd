import type { Requirement } from '../../catalog/payment-terms.ts'

/** A payment that passed our own checks for one product's price. Plain data: it is stored, and read by later processes. */
export type Payment = {
  /** Version of the header it came in; facilitators always get v2. */
  version: 1 | 2
  key: string
  network: string
  payer: string
  /** The x402 v2 payload as facilitators take it. */
  payload: Record<string, unknown>
  /** Our own terms, looked up by product and network, never taken from the caller. */
  requirement: Requirement
  /** Epoch ms after which the chain rejects it; undefined on Solana, where a payment expires with its blockhash. */
  validBeforeMs: number | undefined
  /** Digest of the exact payload: part of the fingerprint. */
  digest: string
  identifier: string | undefined
  /** What it buys, by which facilitators can list it; rows of earlier versions and plain transfers have none. */
  productId?: string
}
