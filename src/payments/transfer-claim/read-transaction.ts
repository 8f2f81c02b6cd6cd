import { z } from 'zod'
import { toQuantity } from '../chain/evm/block.ts'
import { Log, Quantity } from '../chain/evm/logs.ts'
import type { JsonRpc } from '../chain/json-rpc.ts'
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

export function createReadTransaction(rpc: JsonRpc): ReadTransaction {
  return async (hash) => {
    const receipt = Receipt.parse(await rpc.call('eth_getTransactionReceipt', [hash]))
    if (!receipt) return undefined
    if (receipt.transactionHash !== hash) throw new Error('the node answered for another transaction')
    const [blockReply, height] = await rpc.batch([
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
      blockTimeMs: block.timestamp * 1000,
    }
  }
}
