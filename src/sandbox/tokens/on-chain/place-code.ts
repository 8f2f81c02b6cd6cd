import { callTogether, type Rpc } from '../../chains/evm/rpc-client.ts'
import { OTHER_CONTRACTS } from '../known-addresses.ts'
import type { TokenWorld } from '../token-world.ts'

/** Nobody calls them: they must only be seen to be contracts. This one stops at once. */
const SOME_CODE = '0x00'

/** Gives every contract of the world code on the chain, those of new tokens when they come out. */
export function createPlaceCode(rpc: Rpc, world: Pick<TokenWorld, 'tokens'>): () => Promise<void> {
  const placed = new Set<string>()
  return async () => {
    // A pool of Uniswap v4 is no contract of its own: its id is longer than an address.
    const pools = world.tokens
      .flatMap((token) => token.pools)
      .filter(({ dex }) => dex !== 'uniswap-v4-base')
      .map(({ id }) => id)
    const missing = [...OTHER_CONTRACTS.keys(), ...pools].filter((address) => !placed.has(address))
    await callTogether(
      rpc,
      missing.map((address) => ['anvil_setCode', address, SOME_CODE] as const),
    )
    for (const address of missing) placed.add(address)
  }
}
