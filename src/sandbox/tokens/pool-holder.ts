import type { Address } from 'viem'
import { POOL_MANAGER } from './known-addresses.ts'
import type { SimPool } from './token-world.ts'

/** Whose balance a pool's tokens are: its own, or for Uniswap v4 that of the one contract behind all pools. */
export const holderOf = ({ id, dex }: SimPool): Address =>
  dex === 'uniswap-v4-base' ? POOL_MANAGER : (id as Address)
