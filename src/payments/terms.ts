import type { PaymentTerms, Requirement } from '../catalog/document.ts'

export const EVM_NETWORK = 'eip155:8453'
export const SVM_NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const EVM_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const SVM_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
/** Stock clients backdate by 600 s; 300 more keeps an authorization's life at the 900 s that careful payers allow. */
const MAX_TIMEOUT_S = 300

export type PayTo = { evm: string; svm?: { address: string; feePayer: string } | undefined }

/** Where and in what we are paid: EVM first, then Solana once a fee payer is known for it. */
export function createTerms(payTo: PayTo): PaymentTerms {
  return {
    accepts(amount) {
      const evm: Requirement = {
        scheme: 'exact',
        network: EVM_NETWORK,
        amount,
        asset: EVM_USDC,
        payTo: payTo.evm,
        maxTimeoutSeconds: MAX_TIMEOUT_S,
        extra: { name: 'USD Coin', version: '2' },
      }
      if (!payTo.svm) return [evm]
      const { address, feePayer } = payTo.svm
      const svm: Requirement = {
        ...evm,
        network: SVM_NETWORK,
        asset: SVM_USDC,
        payTo: address,
        extra: { feePayer },
      }
      return [evm, svm]
    },
  }
}
