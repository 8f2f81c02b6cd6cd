import { toFunctionSelector } from 'viem'
import { EVM_USDC } from '../../../src/core/usdc.ts'
import { AUTHORIZATION_USED, addressTopic, TRANSFER } from '../../../src/payments/chain/evm/logs.ts'

/** A payment that an authorization made. Its transaction is called by its nonce. */
export type Moved = { from: string; to: string; value: string; nonce: string }
/** A node of Base that keeps in memory what it is told, and answers at once. */
export type InstantNode = {
  include(moved: Moved): void
  answer(method: string, params: readonly unknown[]): unknown
}

type Included = Moved & { block: number }

const CHAIN_ID = '0x2105'
const FIRST_BLOCK = 1_000
const BLOCK_MS = 2_000
/** More than are sold in an hour and a half: what is forgotten was undone, to those who look again. */
const REMEMBERED = 1_000_000
const WORD_CHARS = 64
const ADDRESS_CHARS = 40
const STATE = toFunctionSelector('authorizationState(address,bytes32)')
const BALANCE = toFunctionSelector('balanceOf(address)')
const FUNDS = 10 ** 12

/** `fundsOf` is what an address holds, in small letters. */
export function createInstantNode(
  startMs: number,
  now: () => number,
  fundsOf: (address: string) => number | bigint = () => FUNDS,
): InstantNode {
  const byNonce = new Map<string, Included>()
  const byBlock = new Map<number, string[]>()
  const head = () => FIRST_BLOCK + Math.floor((now() - startMs) / BLOCK_MS)
  const blockOf = (tag: unknown) => {
    const height = typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : head()
    if (height > head()) return null
    const timestamp = Math.floor((startMs + (height - FIRST_BLOCK) * BLOCK_MS) / 1000)
    return { number: hex(height), timestamp: hex(timestamp), transactions: byBlock.get(height) ?? [] }
  }
  const call = (data: string) => {
    if (data.startsWith(BALANCE)) return word(fundsOf(`0x${data.slice(-ADDRESS_CHARS)}`.toLowerCase()))
    return word(data.startsWith(STATE) && byNonce.has(`0x${data.slice(-WORD_CHARS)}`) ? 1 : 0)
  }
  return {
    include(moved) {
      const nonce = moved.nonce.toLowerCase()
      if (byNonce.has(nonce)) return
      const block = head()
      byNonce.set(nonce, { ...moved, nonce, block })
      byBlock.set(block, [...(byBlock.get(block) ?? []), nonce])
      const [oldest] = byNonce.keys()
      if (byNonce.size > REMEMBERED && oldest !== undefined) byNonce.delete(oldest)
    },
    answer(method, [first]) {
      if (method === 'eth_chainId') return CHAIN_ID
      if (method === 'eth_blockNumber') return hex(head())
      if (method === 'eth_getBlockByNumber') return blockOf(first)
      if (method === 'eth_call') return call((first as { data: string }).data)
      if (method === 'eth_getTransactionReceipt') return receiptOf(byNonce.get(String(first).toLowerCase()))
      if (method === 'eth_getLogs') return findLogs(byNonce, byBlock, first as Filter)
      throw new Error(`${method} is not answered here`)
    },
  }
}

const hex = (value: number) => `0x${value.toString(16)}`
const word = (value: number | bigint) => `0x${value.toString(16).padStart(WORD_CHARS, '0')}`

function receiptOf(included: Included | undefined): unknown {
  if (!included) return null
  const { nonce, block } = included
  return { status: '0x1', blockNumber: hex(block), transactionHash: nonce, logs: logsOf(included) }
}

function logsOf({ from, to, value, nonce, block }: Included) {
  const common = { address: EVM_USDC, blockNumber: hex(block), transactionHash: nonce }
  return [
    { ...common, logIndex: '0x4', data: '0x', topics: [AUTHORIZATION_USED, addressTopic(from), nonce] },
    {
      ...{ ...common, logIndex: '0x5', data: word(BigInt(value)) },
      topics: [TRANSFER, addressTopic(from), addressTopic(to)],
    },
  ]
}

type Filter = { topics?: readonly unknown[]; fromBlock: string; toBlock: string }

/** Of one nonce, or of one block. */
function findLogs(
  byNonce: ReadonlyMap<string, Included>,
  byBlock: ReadonlyMap<number, readonly string[]>,
  { topics, fromBlock }: Filter,
): unknown[] {
  const nonces = topics?.[2] === undefined ? (byBlock.get(Number(fromBlock)) ?? []) : [String(topics[2])]
  return nonces.flatMap((nonce) => {
    const included = byNonce.get(nonce.toLowerCase())
    return included ? logsOf(included) : []
  })
}
