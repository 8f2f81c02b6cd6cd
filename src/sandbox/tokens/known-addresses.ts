import type { Address } from 'viem'
import { EVM_USDC } from '../../core/usdc.ts'
import { EVM_CONTRACTS } from '../chains/evm/contracts.ts'
import { simAddress } from './sim-address.ts'

const lower = (address: string) => address.toLowerCase() as Address

/** Those that clients of Base know by heart, at their real addresses. */
export const USDC = lower(EVM_USDC)
export const WETH = lower('0x4200000000000000000000000000000000000006')
export const CBBTC = lower('0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf')
export const PROJECT_TOKEN = lower(EVM_CONTRACTS.ProjectToken)

/** All pools of Uniswap v4 keep their tokens here. */
export const POOL_MANAGER = lower('0x498581fF718922c3f8e6A244956aF099B2652b2b')
export const BURNT = lower('0x000000000000000000000000000000000000dEaD')

export const ROUTER = simAddress('contract/router')
/** A contract that empties wallets which gave it an approval. */
export const DRAINER = simAddress('contract/drainer')

/** Contracts that are no tokens, by what their verified source code calls them; undefined: nobody has seen the code. */
export const OTHER_CONTRACTS: ReadonlyMap<string, string | undefined> = new Map([
  [ROUTER, 'Ferry Router'],
  [DRAINER, undefined],
  [POOL_MANAGER, 'PoolManager'],
])
