import type { Address } from 'viem'
import { type Upstream, UpstreamError } from '../../upstream.ts'
import { type RelayedTransaction, toTransaction, WireDeployed, WireNonce, WireTransactions } from './wire.ts'

/** The nonce of the next batch of the owner's wallet. */
export async function readNonce(upstream: Upstream, owner: Address): Promise<bigint> {
  const query = { address: owner, type: 'WALLET' }
  return (await upstream.ask({ path: '/nonce', query, schema: WireNonce })).nonce
}

export async function readDeployed(upstream: Pick<Upstream, 'ask'>, wallet: Address): Promise<boolean> {
  const query = { address: wallet, type: 'WALLET' }
  return (await upstream.ask({ path: '/deployed', query, schema: WireDeployed })).deployed
}

/** Undefined where the relayer does not know it, or cannot be asked now. */
export async function findTransaction(
  upstream: Upstream,
  id: string,
): Promise<RelayedTransaction | undefined> {
  try {
    const rows = await upstream.ask({ path: '/transaction', query: { id }, schema: WireTransactions })
    return rows.map(toTransaction).find((row) => row.id === id)
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}
