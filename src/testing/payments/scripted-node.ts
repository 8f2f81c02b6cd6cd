import { encodeAbiParameters, type Hex, keccak256, stringToHex } from 'viem'
import { EVM_USDC } from '../../core/usdc.ts'
import { AUTHORIZATION_USED, addressTopic, TRANSFER } from '../../payments/chain/evm/logs.ts'
import type { JsonRpc, RpcCall } from '../../payments/chain/json-rpc.ts'

export const PAY_TO: Hex = '0x00000000000000000000000000000000000000A1'
export const START_MS = 1_767_614_400_000
const BLOCK_S = 2

type NodeLog = { address: string; topics: readonly string[]; data: string }
type Entry = { hash: Hex; block: number; status: 0 | 1; logs: readonly NodeLog[] }

export function transferLog(
  from: string,
  value: bigint,
  { to = PAY_TO, token = EVM_USDC as string } = {},
): NodeLog {
  const data = encodeAbiParameters([{ type: 'uint256' }], [value])
  return { address: token, topics: [TRANSFER, addressTopic(from), addressTopic(to)], data }
}
export function authorizationLog(from: string): NodeLog {
  return {
    address: EVM_USDC,
    topics: [AUTHORIZATION_USED, addressTopic(from), `0x${'7'.repeat(64)}`],
    data: '0x',
  }
}

/** A chain node with a block every two seconds and the transactions that a test adds. */
export function createScriptedNode(startMs: number) {
  const entries = new Map<string, Entry>()
  let height = 100
  let isDown = false
  let branch = 0
  const minedIn = new Map<string, Hex>()
  const blockHash = (number: number) => keccak256(stringToHex(`block ${number} ${branch}`))
  const timeOf = (number: number) => Math.floor(startMs / 1000) + (number - 100) * BLOCK_S
  const toHex = (value: number) => `0x${value.toString(16)}`
  const receiptOf = ({ hash, block, status, logs }: Entry) => ({
    status: toHex(status),
    transactionHash: hash,
    blockHash: minedIn.get(hash) ?? blockHash(block),
    blockNumber: toHex(block),
    logs: logs.map((log, index) => ({
      ...log,
      blockNumber: toHex(block),
      logIndex: toHex(5 + index),
      transactionHash: hash,
    })),
  })
  const answer = ([method, [first]]: RpcCall): unknown => {
    if (isDown) throw new Error('the node is down')
    if (method === 'eth_blockNumber') return toHex(height)
    if (method === 'eth_getBlockByNumber')
      return { hash: blockHash(Number(first)), timestamp: toHex(timeOf(Number(first))) }
    if (method === 'eth_getTransactionReceipt') {
      const entry = entries.get(String(first))
      return entry ? receiptOf(entry) : null
    }
    throw new Error(`${method} is not scripted`)
  }
  const rpc: JsonRpc = {
    call: async (method, params) => answer([method, params]),
    batch: async (calls) => calls.map(answer),
  }
  return {
    rpc,
    mine: (blocks: number) => {
      height += blocks
    },
    add(name: string, logs: readonly NodeLog[], status: 0 | 1 = 1): Hex {
      const hash = keccak256(stringToHex(name))
      height++
      entries.set(hash, { hash, block: height, status, logs })
      minedIn.set(hash, blockHash(height))
      return hash
    },
    /** Replaces all blocks so far; receipts still name the old ones. */
    fork: () => {
      branch++
    },
    drop: (hash: Hex) => entries.delete(hash),
    fail: (down: boolean) => {
      isDown = down
    },
  }
}
