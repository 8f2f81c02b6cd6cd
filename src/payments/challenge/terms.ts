import type { PaymentTerms, Requirement } from '../../catalog/payment-terms.ts'
import { createBoundedCache } from '../../core/bounded-cache.ts'
import { EVM_USDC, SVM_USDC } from '../../core/usdc.ts'

export const EVM_NETWORK = 'eip155:8453'
export const SVM_NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
/** What x402 version 1 calls the networks. */
export const V1_NAMES: ReadonlyMap<string, string> = new Map([
  [EVM_NETWORK, 'base'],
  [SVM_NETWORK, 'solana'],
])
/** Stock clients backdate by 600 s; 300 more keeps an authorization's life at the 900 s that careful payers allow. */
export const MAX_TIMEOUT_S = 300

/** Our addresses; a network without one is not offered. */
export type PayTo = { evm?: string | undefined; svm?: string | undefined }
/** Who pays the fees on a network where the payer does not; undefined until a facilitator has named one. */
export type FeePayerOf = (network: string) => string | undefined
/** Products have few prices, and facilitators few fee payers. */
const REMEMBERED = 500

/**
 * What we accept: USDC on Base, and on Solana while a facilitator pays the fees there. The fee payer that is offered
 * changes when its facilitator fails; `mayPayFees` says which others can have been offered before.
 */
export function createTerms(
  payTo: PayTo,
  feePayerOf: FeePayerOf = () => undefined,
  mayPayFees: PaymentTerms['mayPayFees'] = (network, feePayer) => feePayerOf(network) === feePayer,
  isClosed: (network: string) => boolean = () => false,
): PaymentTerms {
  const remembered = createBoundedCache<string, readonly Requirement[]>({ capacity: REMEMBERED })
  const remember = (key: string, list: () => readonly Requirement[]) => {
    const known = remembered.get(key)
    if (known) return known
    const listed = list()
    remembered.set(key, listed)
    return listed
  }
  const accepts = (amount: string) => {
    const feePayer = feePayerOf(SVM_NETWORK)
    return remember(`${amount} ${feePayer}`, () => listAccepted(payTo, amount, feePayer))
  }
  return {
    accepts,
    offers(amount) {
      const accepted = accepts(amount)
      const open = accepted.filter(({ network }) => !isClosed(network))
      if (open.length === 0 || open.length === accepted.length) return accepted
      return remember(`${amount} ${JSON.stringify(open)}`, () => open)
    },
    suspended(network, amount, feePayer) {
      if (network !== SVM_NETWORK || feePayerOf(SVM_NETWORK) !== undefined) return undefined
      return listAccepted(payTo, amount, feePayer).find((accepted) => accepted.network === network)
    },
    mayPayFees,
  }
}

function listAccepted(payTo: PayTo, amount: string, feePayer: string | undefined): readonly Requirement[] {
  const common = { scheme: 'exact', amount, maxTimeoutSeconds: MAX_TIMEOUT_S } as const
  const accepted: Requirement[] = []
  if (payTo.evm) {
    const extra = { name: 'USD Coin', version: '2' }
    accepted.push({ ...common, network: EVM_NETWORK, asset: EVM_USDC, payTo: payTo.evm, extra })
  }
  if (payTo.svm && feePayer)
    accepted.push({
      ...common,
      network: SVM_NETWORK,
      asset: SVM_USDC,
      payTo: payTo.svm,
      extra: { feePayer },
    })
  return accepted
}
