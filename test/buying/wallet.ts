import { type x402Client, x402HTTPClient } from '@x402/fetch'
import { paymentIdOfHeader } from './payment-id.ts'

export type Network = 'base' | 'solana'
export type PaymentRequired = ReturnType<x402HTTPClient['getPaymentRequiredResponse']>
export type SignedPayment = { id: string; header: string; diesAtMs: number }
export type Wallet = {
  network: Network
  /** Undefined where the challenge does not offer this wallet's network. `lifeS` shortens what the seller allows. */
  sign(required: PaymentRequired, lifeS?: number): Promise<SignedPayment | undefined>
}

const PREFIXES: Record<Network, string> = { base: 'eip155:', solana: 'solana:' }
/** 150 slots: a Solana payment dies with its blockhash, whatever the seller allows. */
const BLOCKHASH_LIFE_S = 60

/** Of a stock x402 client that holds a key and money on this network. */
export function walletOf(network: Network, client: x402Client): Wallet {
  const signer = new x402HTTPClient(client)
  return {
    network,
    async sign(required, lifeS) {
      const accepted = required.accepts.find((each) => each.network.startsWith(PREFIXES[network]))
      if (!accepted) return undefined
      const maxTimeoutSeconds = lifeS ?? accepted.maxTimeoutSeconds
      const payload = await signer.createPaymentPayload({
        ...required,
        accepts: [{ ...accepted, maxTimeoutSeconds }],
      })
      // What the payer signs is the time, not the terms: those are echoed as they came.
      const [header = ''] = Object.values(signer.encodePaymentSignatureHeader({ ...payload, accepted }))
      const aliveS = network === 'solana' ? BLOCKHASH_LIFE_S : maxTimeoutSeconds
      return { id: paymentIdOfHeader(header), header, diesAtMs: Date.now() + aliveS * 1000 }
    },
  }
}
