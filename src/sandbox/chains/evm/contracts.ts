import type { Abi, Hex } from 'viem'
import { EVM_USDC } from '../../../core/usdc.ts'
import { POLYMARKET_CONTRACTS } from '../../../upstreams/polymarket/relayer/addresses.ts'
import artifact from './contracts.json' with { type: 'json' }
import type { Rpc } from './rpc-client.ts'

type CompiledName = keyof typeof artifact.contracts
/** Without those that misbehave: tests put them where others stand. */
export type ContractName = Exclude<CompiledName, 'OddUsdc' | 'FickleWallet'>
export type Address = `0x${string}`

/**
 * Stock clients pay only the canonical USDC, and chain clients expect Multicall3 at its usual address. The contracts of
 * the prediction venue stand where its clients know them on Polygon; `solidity/Venue.sol` repeats two of the addresses.
 */
export const EVM_CONTRACTS = {
  TestUsdc: EVM_USDC,
  Aggregate: '0xcA11bde05977b3631167028862bE2a173976CA11',
  ProjectToken: '0x7011B00C000000000000000000000000000000aa',
  SmartWalletFactory: '0x7011b00c000000000000000000000000000000BB',
  /** The pattern; the tokens of the simulated Base are copies of it. */
  SimulatedToken: '0x7011B00c000000000000000000000000000000Dd',
  PolyUsd: POLYMARKET_CONTRACTS.collateral,
  OutcomeTokens: POLYMARKET_CONTRACTS.outcomeTokens,
  Exchange: POLYMARKET_CONTRACTS.exchange,
  CollateralAdapter: POLYMARKET_CONTRACTS.collateralAdapter,
  DepositWallet: POLYMARKET_CONTRACTS.walletImplementation,
  DepositWalletFactory: POLYMARKET_CONTRACTS.walletFactory,
} as const satisfies Record<ContractName, Address>

export function abiOf(name: CompiledName): Abi {
  return artifact.contracts[name].abi as Abi
}

export function codeOf(name: CompiledName): Hex {
  return artifact.contracts[name].runtime as Hex
}

/** Puts the contracts at their addresses, unless a kept state already holds them. */
export async function installContracts(rpc: Rpc): Promise<void> {
  await Promise.all(
    Object.entries(EVM_CONTRACTS).map(async ([name, address]) => {
      const runtime = codeOf(name as ContractName)
      if ((await rpc('eth_getCode', address, 'latest')) !== runtime)
        await rpc('anvil_setCode', address, runtime)
    }),
  )
}
