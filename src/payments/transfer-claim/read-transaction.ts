import { z } from 'zod'
import { SECOND_MS } from '../../core/time/time.ts'
import { toQuantity } from '../chain/evm/block.ts'
import { checkReceipts } from '../chain/evm/check-past.ts'
import { Log, Quantity } from '../chain/evm/logs.ts'
import { callTogether, type JsonRpc } from '../chain/json-rpc.ts'
import type { ChainNodes } from '../chain/nodes/chain-nodes.ts'
import type { TransferLog } from './transfers.ts'

export type MinedTransaction = {
  succeeded: boolean
  /** In their order within the transaction. */
  logs: readonly TransferLog[]
  /** Its own block and those after it. */
  confirmations: number
  blockTimeMs: number
}
/** Undefined while the transaction is in no block; throws when the chain cannot be asked. */
export type ReadTransaction = (hash: string) => Promise<MinedTransaction | undefined>
/** Throws unless the chain still has that time: only then "in no block" means that it was taken back. */
export type CheckPast = (atMs: number) => Promise<void>

const Hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const Receipt = z.nullable(
  z.object({
    status: Quantity,
    transactionHash: Hash,
    blockHash: Hash,
    blockNumber: Quantity,
    logs: z.array(Log),
  }),
)
const Block = z.nullable(z.object({ hash: Hash, timestamp: Quantity }))

/**
 * Each look is at one node, since what two say of one transaction need not fit together. That a transaction is in no
 * block takes all of them: one may lag, or have lost its past.
 */
export function createAgreedReadTransaction(nodes: ChainNodes): ReadTransaction {
  const readers = new Map(nodes.all.map((node) => [node, createReadTransaction(node.rpc)]))
  return async (hash) => {
    const { node, mined } = await nodes.first(async (node) => ({
      node,
      mined: await readers.get(node)?.(hash),
    }))
    if (mined) return mined
    for (const other of nodes.present()) {
      const found = other === node ? undefined : await readers.get(other)?.(hash)
      if (found) return found
    }
    return undefined
  }
}

/** As for a transaction that none of them has, it takes all of them. */
export function createAgreedCheckPast(nodes: ChainNodes): CheckPast {
  return async (atMs) => {
    for (const { rpc } of nodes.present()) await checkReceipts(rpc, atMs / SECOND_MS)
  }
}

export function createReadTransaction(rpc: JsonRpc): ReadTransaction {
  return async (hash) => {
    const receipt = Receipt.parse(await rpc.call('eth_getTransactionReceipt', [hash]))
    if (!receipt) return undefined
    if (receipt.transactionHash !== hash) throw new Error('the node answered for another transaction')
    const [blockReply, height] = await callTogether(rpc, [
      ['eth_getBlockByNumber', [toQuantity(receipt.blockNumber), false]],
      ['eth_blockNumber', []],
    ])
    const block = Block.parse(blockReply)
    // Another block is there by now: the chain is being reorganised.
    if (block?.hash !== receipt.blockHash) return undefined
    return {
      succeeded: receipt.status === 1,
      logs: receipt.logs.toSorted((a, b) => a.logIndex - b.logIndex),
      confirmations: Quantity.parse(height) - receipt.blockNumber + 1,
      blockTimeMs: block.timestamp * SECOND_MS,
    }
  }
}
