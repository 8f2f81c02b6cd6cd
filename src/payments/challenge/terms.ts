import type { PaymentTerms, Requirement } from '../../catalog/payment-terms.ts'
import { EVM_USDC, SVM_USDC } from '../../core/usdc.ts'

export const EVM_NETWORK = 'eip155:8453'
export const SVM_NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
/** What x402 version 1 calls the networks. */
export const V1_NAMES: ReadonlyMap<string, string> = new Map([
  [EVM_NETWORK, 'base'],
  [SVM_NETWORK, 'solana'],
])
/** Stock clients backdate by 600 s; 300 more keeps an authorization's life at the 900 s that careful payers allow. */
const MAX_TIMEOUT_S = 300

/** Our addresses; a network without one is not offered. */
export type PayTo = { evm?: string | undefined; svm?: string | undefined }
/** Who pays the fees on a network where the payer does not; undefined until a facilitator has named one. */
export type FeePayerOf = (network: string) => string | undefined

/** What we accept: USDC on Base, and on Solana while a facilitator pays the fees there. */
export function createTerms(payTo: PayTo, feePayerOf: FeePayerOf = () => undefined): PaymentTerms {
  return {
    accepts(amount) {
      const common = { scheme: 'exact', amount, maxTimeoutSeconds: MAX_TIMEOUT_S } as const
      const accepted: Requirement[] = []
      if (payTo.evm) {
        const extra = { name: 'USD Coin', version: '2' }
        accepted.push({ ...common, network: EVM_NETWORK, asset: EVM_USDC, payTo: payTo.evm, extra })
      }
      const feePayer = feePayerOf(SVM_NETWORK)
      if (payTo.svm && feePayer)
        accepted.push({
          ...common,
          network: SVM_NETWORK,
          asset: SVM_USDC,
          payTo: payTo.svm,
          extra: { feePayer },
        })
      return accepted
    },
    isSuspended: (network) =>
      network === SVM_NETWORK && payTo.svm !== undefined && feePayerOf(SVM_NETWORK) === undefined,
  }
}
