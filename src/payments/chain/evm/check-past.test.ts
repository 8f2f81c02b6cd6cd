import { expect, test } from 'vitest'
import type { JsonRpc } from '../json-rpc.ts'
import { checkLogs, checkReceipts } from './check-past.ts'

const HEAD = 10_000
const toHex = (value: number) => `0x${value.toString(16)}`
type Options = { oldest?: number; hasTransactions?: (block: number) => boolean }

/** A block a second, numbered by it; nothing but the blocks themselves is kept of those before `oldest`. */
function nodeOf({ oldest = 0, hasTransactions = () => true }: Options): JsonRpc {
  return {
    async call(method, [first]) {
      if (method === 'eth_getTransactionReceipt') {
        const block = Number(String(first).replace('tx', ''))
        return block < oldest ? null : { blockNumber: toHex(block) }
      }
      if (method === 'eth_getLogs') {
        const block = Number((first as { fromBlock: string }).fromBlock)
        return block < oldest || !hasTransactions(block) ? [] : [{}]
      }
      const block = first === 'latest' ? HEAD : Number(first)
      const transactions = hasTransactions(block) ? [`tx${block}`] : []
      return { number: toHex(block), timestamp: toHex(block), transactions }
    },
    batch: () => Promise.reject(new Error('not asked here')),
  }
}
const token = `0x${'aa'.repeat(20)}`
const checks = [
  ['receipts', checkReceipts],
  ['logs', (rpc: JsonRpc, atS: number) => checkLogs(rpc, token, atS)],
] as const

test.each(checks)(
  'a node that has the %s of a time shows it, also where the newest blocks are empty',
  async (_, check) => {
    await check(nodeOf({}), 5_000)
    await check(nodeOf({ oldest: 5_000 }), 5_000)
    await check(nodeOf({ hasTransactions: (block) => block <= 4_996 }), 5_000)
  },
)

test.each(checks)(
  'one that has lost the %s of it, has none of that time, or is not there yet does not',
  async (_, check) => {
    await expect(check(nodeOf({ oldest: 5_001 }), 5_000)).rejects.toThrow('of that time')
    await expect(check(nodeOf({ hasTransactions: () => false }), 5_000)).rejects.toThrow('of that time')
    await expect(check(nodeOf({}), HEAD + 1)).rejects.toThrow('yet')
  },
)
