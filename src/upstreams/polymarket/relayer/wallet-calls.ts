import { type Address, encodeFunctionData, type Hex, maxUint256, parseAbi, zeroHash } from 'viem'
import { POLYMARKET_CONTRACTS } from './addresses.ts'
import type { WalletCall } from './deposit-wallet.ts'

const { collateral, outcomeTokens, exchange, collateralAdapter } = POLYMARKET_CONTRACTS
const ABI = parseAbi([
  'function approve(address spender, uint256 value)',
  'function setApprovalForAll(address operator, bool approved)',
  'function splitPosition(address collateral, bytes32 parent, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'function mergePositions(address collateral, bytes32 parent, bytes32 conditionId, uint256[] partition, uint256 amount)',
  'function redeemPositions(address collateral, bytes32 parent, bytes32 conditionId, uint256[] indexSets)',
])
/** The first outcome and the second. */
const BOTH = [1n, 2n]

/** What lets the exchange take collateral and shares that are sold, and the adapter what is split, merged or redeemed. */
export const approvalCalls = (): readonly WalletCall[] => [
  allow(exchange),
  allow(collateralAdapter),
  approve(exchange),
  approveRedeeming(),
]

export const approveRedeeming = (): WalletCall => approve(collateralAdapter)

/** Pays all shares of a resolved market; needs `approveRedeeming`. */
export const redeemCall = (conditionId: Hex): WalletCall =>
  toCall(
    collateralAdapter,
    encodeFunctionData({
      abi: ABI,
      functionName: 'redeemPositions',
      args: [collateral, zeroHash, conditionId, BOTH],
    }),
  )

export const splitCall = (conditionId: Hex, amount: bigint): WalletCall =>
  toCall(collateralAdapter, encodeSets('splitPosition', conditionId, amount))

export const mergeCall = (conditionId: Hex, amount: bigint): WalletCall =>
  toCall(collateralAdapter, encodeSets('mergePositions', conditionId, amount))

const encodeSets = (functionName: 'splitPosition' | 'mergePositions', conditionId: Hex, amount: bigint) =>
  encodeFunctionData({ abi: ABI, functionName, args: [collateral, zeroHash, conditionId, BOTH, amount] })

const allow = (spender: Address): WalletCall =>
  toCall(collateral, encodeFunctionData({ abi: ABI, functionName: 'approve', args: [spender, maxUint256] }))

const approve = (operator: Address): WalletCall =>
  toCall(
    outcomeTokens,
    encodeFunctionData({ abi: ABI, functionName: 'setApprovalForAll', args: [operator, true] }),
  )

const toCall = (target: Address, data: Hex): WalletCall => ({ target, value: 0n, data })
