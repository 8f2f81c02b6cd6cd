import { randomBytes } from 'node:crypto'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { toClientEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client, x402HTTPClient } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { createPublicClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { usd } from '../../src/core/money.ts'
import { paymentIdOfHeader } from './payment-id.ts'
import type { TortureWorld } from './world.ts'

export type Network = 'base' | 'solana'
export type PaymentRequired = ReturnType<x402HTTPClient['getPaymentRequiredResponse']>
export type SignedPayment = { id: string; header: string; diesAtMs: number }
export type Wallet = {
  network: Network
  /** Undefined where the challenge does not offer this wallet's network. `lifeS` shortens what the seller allows. */
  sign(required: PaymentRequired, lifeS?: number): Promise<SignedPayment | undefined>
}

const FUNDS = usd('1000')
const KEY_BYTES = 32
const PREFIXES: Record<Network, string> = { base: 'eip155:', solana: 'solana:' }
/** 150 slots: a Solana payment dies with its blockhash, whatever the seller allows. */
const BLOCKHASH_LIFE_S = 60

/** A stock x402 client with a key of its own and more money than it can spend. */
export async function createWallet(world: TortureWorld, network: Network): Promise<Wallet> {
  const client = await (network === 'solana' ? openSolana(world) : openBase(world))
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

async function openBase({ evm }: TortureWorld): Promise<x402Client> {
  const account = privateKeyToAccount(generatePrivateKey())
  await evm.fundUsdc(account.address, FUNDS)
  const reader = createPublicClient({ chain: base, transport: http(evm.rpcUrl) })
  return new x402Client().register('eip155:*', new ExactEvmScheme(toClientEvmSigner(account, reader)))
}

async function openSolana({ svm }: TortureWorld): Promise<x402Client> {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(randomBytes(KEY_BYTES))
  await svm.fundUsdc(signer.address, FUNDS)
  return new x402Client().register('solana:*', new ExactSvmScheme(signer, { rpcUrl: svm.rpcUrl }))
}
