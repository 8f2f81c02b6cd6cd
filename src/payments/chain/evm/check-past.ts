import { z } from 'zod'
import type { JsonRpc } from '../json-rpc.ts'
import { readBlock, toQuantity } from './block.ts'
import { findBlockAt } from './block-at.ts'
import { Quantity } from './logs.ts'

/**
 * A node that was pruned, or synced since, has nothing of an earlier time, and says of everything in it that there
 * never was any. These throw unless it shows something of a time: of that moment, or of shortly before it.
 */

/** On Base every block has a transaction; a local chain may have made many empty ones. */
const EMPTY_BLOCKS = 100
/** On Base nearly every block moves USDC. */
const QUIET_BLOCKS = 5

const Transactions = z.object({ transactions: z.array(z.string()) })
const Mined = z.nullable(z.object({ blockNumber: Quantity }))

export async function checkReceipts(rpc: JsonRpc, atS: number): Promise<void> {
  for (const at of await blocksAt(rpc, atS, EMPTY_BLOCKS)) {
    const block = Transactions.parse(await rpc.call('eth_getBlockByNumber', [toQuantity(at), false]))
    const [transaction] = block.transactions
    if (transaction === undefined) continue
    const receipt = Mined.parse(await rpc.call('eth_getTransactionReceipt', [transaction]))
    if (receipt?.blockNumber === at) return
    break
  }
  throw new Error('the node no longer has the receipts of that time')
}

/** One block at a time, which every node allows. */
export async function checkLogs(rpc: JsonRpc, token: string, atS: number): Promise<void> {
  for (const at of await blocksAt(rpc, atS, QUIET_BLOCKS)) {
    const filter = { address: token, fromBlock: toQuantity(at), toBlock: toQuantity(at) }
    const logs = z.array(z.unknown()).parse(await rpc.call('eth_getLogs', [filter]))
    if (logs.length > 0) return
  }
  throw new Error('the node shows no logs of that time')
}

/** That of a time and those before it, newest first. */
async function blocksAt(rpc: JsonRpc, atS: number, most: number): Promise<number[]> {
  const latest = await readBlock(rpc, 'latest')
  if (latest.timestamp < atS) throw new Error('the node has not come to that time yet')
  const newest = await findBlockAt(rpc, latest, atS)
  return Array.from({ length: Math.min(most, newest + 1) }, (_, back) => newest - back)
}
