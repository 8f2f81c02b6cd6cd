import { toFunctionSelector } from 'viem'
import { EVM_USDC } from '../../../src/core/usdc.ts'
import {
  AUTHORIZATION_CANCELED,
  AUTHORIZATION_USED,
  addressTopic,
  TRANSFER,
} from '../../../src/payments/chain/evm/logs.ts'
import { contractAccepts, isContractWallet } from '../people/contract-wallets.ts'
import { type Inclusion, isThere } from './history.ts'
import type { SimulatedChain } from './simulated-chain.ts'

/** What one node shows: the chain as it was at a moment, perhaps without its past. */
export type View = {
  seenMs: number
  /** Blocks below are forgotten. */
  oldest: number
  /** It lost its state: nothing was ever used. */
  isForgetful: boolean
  /** It shows what is only announced for the next block. */
  isHasty: boolean
}

const STATE = toFunctionSelector('authorizationState(address,bytes32)')
const BALANCE = toFunctionSelector('balanceOf(address)')
const WORD_CHARS = 64
const ACCEPTED = `0x1626ba7e${'0'.repeat(56)}`
const REFUSED = `0xffffffff${'0'.repeat(56)}`
const CHAIN_ID = 8453

/** Of a contract, whichever. */
const CODE = '0x6000'
const hex = (value: number) => `0x${value.toString(16)}`
const word = (value: number) => `0x${value.toString(16).padStart(WORD_CHARS, '0')}`

/** Answers as a node of an EVM chain does, as objects instead of text. */
export function answerEvm(
  chain: SimulatedChain,
  view: View,
  method: string,
  params: readonly unknown[],
): unknown {
  const { evm } = chain.blocks
  const head = evm.heightAt(view.seenMs)
  const [first, second] = params
  if (method === 'eth_chainId') return hex(CHAIN_ID)
  if (method === 'eth_blockNumber') return hex(head)
  if (method === 'eth_getBlockByNumber') {
    const height = heightOf(chain, view, first)
    return height > head ? null : { number: hex(height), timestamp: hex(evm.timestampOf(height)) }
  }
  if (method === 'eth_getTransactionReceipt') return findReceipt(chain, view, String(first))
  if (method === 'eth_getLogs') return findLogs(chain, view, first as Filter)
  if (method === 'eth_getCode') return isContractWallet(String(first)) ? CODE : '0x'
  if (method !== 'eth_call') throw new Error(`${method} is not simulated`)
  const { to, data } = first as { to: string; data: string }
  if (to.toLowerCase() !== EVM_USDC.toLowerCase()) return isContractWallet(to) ? answerWallet(data) : '0x'
  const payer = `0x${data.slice(34, 74)}`
  if (data.startsWith(BALANCE)) return word(chain.balance(payer))
  if (!data.startsWith(STATE)) throw new Error('the token has no such function')
  const use = chain.history.useAt(evmKey(payer, `0x${data.slice(74)}`), view.seenMs)
  return word(use && use.block <= heightOf(chain, view, second) && !view.isForgetful ? 1 : 0)
}

const answerWallet = (data: string) => (contractAccepts(data) ? ACCEPTED : REFUSED)

/** Whether a call is about a block that a node does not have. */
export const isBeyond = (chain: SimulatedChain, view: View, [, at]: readonly unknown[]): boolean =>
  typeof at === 'string' && at.startsWith('0x') && Number(at) > chain.blocks.evm.heightAt(view.seenMs)

function heightOf({ blocks }: SimulatedChain, { seenMs }: View, tag: unknown): number {
  if (tag === 'latest') return blocks.evm.heightAt(seenMs)
  return tag === 'finalized' || tag === 'safe' ? blocks.evm.finalAt(seenMs) : Number(tag)
}

const evmKey = (payer: string, nonce: string) =>
  `eip155:${CHAIN_ID}/${EVM_USDC}/${payer}/${nonce}`.toLowerCase()

function findReceipt({ history, blocks }: SimulatedChain, view: View, transaction: string): unknown {
  const included = history.ofTransaction(transaction, view.seenMs)
  if (included && included.block < view.oldest) return null
  if (included) return receiptOf(included)
  const next = view.isHasty ? history.announced(transaction) : undefined
  // Once its block is there, that says what became of it, and no promise does.
  if (!next || next.atMs > view.seenMs || next.block <= blocks.evm.heightAt(view.seenMs)) return null
  return receiptOf({ ...next, kind: 'transfer', landedAtMs: next.atMs, undoneAtMs: undefined })
}

function receiptOf(inclusion: Inclusion) {
  const { kind, transaction, block } = inclusion
  const status = hex(kind === 'failed' ? 0 : 1)
  return { status, blockNumber: hex(block), transactionHash: transaction, logs: logsOf(inclusion) }
}

function logsOf({ kind, authorization, transaction, block }: Inclusion) {
  if (kind === 'failed') return []
  const { payer, to, value, nonce } = authorization
  const common = { address: EVM_USDC, blockNumber: hex(block), transactionHash: transaction }
  const about = kind === 'cancel' ? AUTHORIZATION_CANCELED : AUTHORIZATION_USED
  const used = { ...common, logIndex: hex(4), data: '0x', topics: [about, addressTopic(payer), nonce] }
  if (kind === 'cancel') return [used]
  const topics = [TRANSFER, addressTopic(payer), addressTopic(to)]
  return [used, { ...common, logIndex: hex(5), data: word(value), topics }]
}

/** Without topics: any log of the token. */
type Filter = { topics?: readonly [unknown, string, string]; fromBlock: string; toBlock: string }

function findLogs(
  { history }: SimulatedChain,
  view: View,
  { topics, fromBlock, toBlock }: Filter,
): unknown[] {
  // Nobody else moves it here.
  if (!topics) return []
  const key = evmKey(`0x${topics[1].slice(-40)}`, topics[2])
  const isAsked = ({ block }: Inclusion) =>
    block >= Math.max(Number(fromBlock), view.oldest) && block <= Number(toBlock)
  return history
    .ofKey(key)
    .filter((each) => isThere(each, view.seenMs) && isAsked(each))
    .flatMap((each) => logsOf(each).slice(0, 1))
}
