import type { FacilitatorClient } from '@x402/core/server'
import { EVM_NETWORK, SVM_NETWORK } from '../../../src/payments/challenge/terms.ts'
import type { Chain } from '../../../src/payments/gate/ports.ts'

type Signed = { authorization?: { from: string; nonce: string } }

/** More than can be settled and not yet asked about. */
const REMEMBERED = 10_000

/** Says yes to everything at once: what is left is what a seller's own software costs. */
export function createInstantFacilitator(feePayer: string): { client: FacilitatorClient; referee: Chain } {
  const settled = new Set<string>()
  const signedOf = (payload: Record<string, unknown>) => (payload as Signed).authorization
  return {
    client: {
      verify: async ({ payload }) => ({ isValid: true, payer: signedOf(payload)?.from ?? '' }),
      async settle({ payload }, { network }) {
        const { from = '', nonce = '' } = signedOf(payload) ?? {}
        if (settled.size >= REMEMBERED) settled.delete(settled.keys().next().value as string)
        settled.add(nonce)
        // As long as a transaction's hash and as unique; there is no chain that could know another.
        return { success: true, transaction: nonce, network, payer: from }
      },
      getSupported: async () => ({
        kinds: [
          { x402Version: 2, scheme: 'exact', network: EVM_NETWORK },
          { x402Version: 2, scheme: 'exact', network: SVM_NETWORK, extra: { feePayer } },
        ],
        extensions: [],
        signers: {},
      }),
    },
    referee: {
      ready: async () => {},
      async outcome({ payload }, hint) {
        const nonce = signedOf(payload.payload as Record<string, unknown>)?.nonce
        const isPaid = nonce !== undefined && nonce === hint && settled.delete(nonce)
        return isPaid ? { kind: 'paid', transaction: nonce } : { kind: 'open' }
      },
    },
  }
}
