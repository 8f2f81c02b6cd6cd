import { type Address, concat, encodeAbiParameters, getCreate2Address, type Hex, keccak256, pad } from 'viem'
import { POLYMARKET_CHAIN_ID, POLYMARKET_CONTRACTS } from './addresses.ts'

/** The code that makes a minimal ERC-1967 proxy with two words behind it, before and after the implementation's address. */
const PROXY_HEAD = '0x61007d3d8160233d3973'
const PROXY_TAIL =
  '0x60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3'

/** Where the deposit wallet of an owner stands, deployed or not. */
export function depositWalletOf(owner: Address): Address {
  const { walletFactory, walletImplementation } = POLYMARKET_CONTRACTS
  const parties = encodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes32' }],
    [walletFactory, pad(owner, { size: 32 })],
  )
  return getCreate2Address({
    from: walletFactory,
    salt: keccak256(parties),
    bytecodeHash: keccak256(concat([PROXY_HEAD, walletImplementation, PROXY_TAIL, parties])),
  })
}

/** One call that a deposit wallet makes. */
export type WalletCall = { target: Address; value: bigint; data: Hex }

/** Calls that the owner of a deposit wallet signs together; all are carried out or none. */
export type UnsignedBatch = {
  wallet: Address
  nonce: bigint
  /** In seconds; at most 300 ahead. */
  deadline: bigint
  calls: readonly WalletCall[]
}

export const LONGEST_VALIDITY_S = 300

/** What the owner signs (EIP-712). */
export const batchTypedData = (batch: UnsignedBatch) =>
  ({
    domain: {
      name: 'DepositWallet',
      version: '1',
      chainId: POLYMARKET_CHAIN_ID,
      verifyingContract: batch.wallet,
    },
    types: BATCH_TYPES,
    primaryType: 'Batch',
    message: batch,
  }) as const

const BATCH_TYPES = {
  Call: [
    { name: 'target', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
  Batch: [
    { name: 'wallet', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'calls', type: 'Call[]' },
  ],
} as const
