import type { Clock } from '../../../core/time/clock.ts'
import type { BaseChain, TokenMetadata } from '../../../upstreams/base-chain/base-chain.ts'
import { createBatched } from './batched.ts'
import type { ContractFacts, TokenPorts } from './token-ports.ts'

/** What a token contract says of itself, read from the node. */
export function createContractFacts({ metadata }: Pick<BaseChain, 'metadata'>): TokenPorts['contract'] {
  return async (address) => toContractFacts(await metadata(address))
}

const ANYBODY = `0x${'0'.repeat(40)}`
/** Reads that go to the node together. */
const PER_REQUEST = 100
/** Nobody has paid for these yet: they take at most five calls a second, whatever the contracts do. */
const GATHER_MS = 200

/** Whether the node says that an address is a token: one that tells a balance. Many are asked in one request. */
export function createTokenCheck({
  clock,
  balances,
}: { clock: Clock } & Pick<BaseChain, 'balances'>): (address: string) => Promise<boolean> {
  return createBatched({
    clock,
    perRequest: PER_REQUEST,
    gatherMs: GATHER_MS,
    read: async (addresses) => (await balances(ANYBODY, addresses)).map((balance) => balance !== undefined),
  })
}

/** Undefined where it has no supply: a wallet, or a contract that is no token. */
function toContractFacts({ name, symbol, decimals, totalSupply }: TokenMetadata): ContractFacts | undefined {
  if (totalSupply === undefined) return undefined
  return { name, symbol, decimals, totalSupply: toWhole(totalSupply, decimals) }
}

/** In whole tokens, as near as a number comes; unknown where the token does not say how it divides. */
function toWhole(amount: bigint, decimals: number | undefined): number | undefined {
  if (decimals === undefined) return undefined
  const whole = Number(amount) / 10 ** decimals
  return Number.isFinite(whole) ? whole : undefined
}
