import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { z } from 'zod'

const Uint = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)

export const WireNonce = z.object({ nonce: Uint })
export const WireDeployed = z.object({ deployed: z.boolean() })
export const WireSubmitted = z.object({ transactionID: z.string().regex(/^[\w-]{1,64}$/) })
export const WireRefusal = z.object({ error: z.string() })

/** Also other types of transactions, whose fields we do not need. */
const WireTransaction = z.object({
  transactionID: z.string().regex(/^[\w-]{1,64}$/),
  state: z.string(),
  /** Empty until it is broadcast. */
  transactionHash: z.string().nullish(),
  proxyAddress: z.string().nullish(),
  nonce: z.string().nullish(),
  signature: z.string().nullish(),
})
export const WireTransactions = z.array(WireTransaction)

/** `pending` until it is certain. */
export type RelayedTransaction = {
  id: string
  state: 'pending' | 'confirmed' | 'failed'
  hash: Hex | undefined
  wallet: Address | undefined
  nonce: string | undefined
  signature: string | undefined
}

const FINAL_STATES: Readonly<Record<string, RelayedTransaction['state']>> = {
  STATE_CONFIRMED: 'confirmed',
  STATE_FAILED: 'failed',
  STATE_INVALID: 'failed',
}

export function toTransaction(wire: z.output<typeof WireTransaction>): RelayedTransaction {
  const { transactionHash: hash, proxyAddress: wallet } = wire
  return {
    id: wire.transactionID,
    state: Object.hasOwn(FINAL_STATES, wire.state) ? (FINAL_STATES[wire.state] ?? 'pending') : 'pending',
    hash: hash && /^0x[0-9a-f]{64}$/i.test(hash) ? (hash.toLowerCase() as Hex) : undefined,
    wallet: wallet && isAddress(wallet, { strict: false }) ? getAddress(wallet.toLowerCase()) : undefined,
    nonce: wire.nonce ?? undefined,
    signature: wire.signature?.toLowerCase() ?? undefined,
  }
}
