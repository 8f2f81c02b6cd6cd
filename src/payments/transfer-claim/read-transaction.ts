import { z } from 'zod'
import { SECOND_MS } from '../../core/time/time.ts'
import { EVM_USDC } from '../../core/usdc.ts'
import { toQuantity } from '../chain/evm/block.ts'
import { checkReceipts } from '../chain/evm/check-past.ts'
import { Log, Quantity } from '../chain/evm/logs.ts'
import { callTogether, type JsonRpc, type ReplyLimits, ReplyTooLargeError } from '../chain/json-rpc.ts'
import type { ChainNode } from '../chain/nodes/chain-node.ts'
import type { ChainNodes } from '../chain/nodes/chain-nodes.ts'
import type { TransferLog } from './transfers.ts'

export type MinedTransaction = {
  succeeded: boolean
  /** Of our token, in their order. */
  logs: readonly TransferLog[]
  /** Its own block and those after it. */
  confirmations: number
  blockTimeMs: number
}
/**
 * Undefined while the transaction is in no block; throws when the chain cannot be asked, and `ReplyTooLargeError` for a
 * receipt that is longer than is read.
 */
export type ReadTransaction = (hash: string) => Promise<MinedTransaction | undefined>
/** Anybody may name any transaction. A transfer takes 2 KiB, a wallet that batches hundreds of them no more than this. */
export const CLAIMED_RECEIPT: ReplyLimits = { replyBytes: 256 * 1024 }
/** Throws unless the chain still has that time: only then "in no block" means that it was taken back. */
export type CheckPast = (atMs: number) => Promise<void>

/** As far as it must be known of logs that are not our token's: a stranger makes them, as many as he likes. */
type RawLog = { address: string; logIndex: string }

const Hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const Receipt = z.nullable(
  z.object({
    status: Quantity,
    transactionHash: Hash,
    blockHash: Hash,
    blockNumber: Quantity,
    logs: z.array(z.custom<RawLog>(isRawLog)),
  }),
)
const Block = z.nullable(z.object({ hash: Hash, timestamp: Quantity }))

/**
 * Each look is at one node, since what two say of one transaction need not fit together. That a transaction is in no
 * block takes all of them: one may lag, or have lost its past.
 */
export function createAgreedReadTransaction(nodes: ChainNodes, limits?: ReplyLimits): ReadTransaction {
  const readers = new Map(nodes.all.map((node) => [node, createReadTransaction(node.rpc, limits)]))
  const readFirst = async (hash: string) => {
    let tooLarge: ReplyTooLargeError | undefined
    const read = async (node: ChainNode) => {
      try {
        return { node, mined: await readers.get(node)?.(hash) }
      } catch (error) {
        if (error instanceof ReplyTooLargeError) tooLarge = error
        throw error
      }
    }
    return nodes.first(read).catch((error) => {
      throw tooLarge ?? error
    })
  }
  return async (hash) => {
    const { node, mined } = await readFirst(hash)
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

export function createReadTransaction(rpc: JsonRpc, limits?: ReplyLimits): ReadTransaction {
  return async (hash) => {
    const receipt = Receipt.parse(await rpc.call('eth_getTransactionReceipt', [hash], limits))
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
      logs: ofToken(receipt.logs),
      confirmations: Quantity.parse(height) - receipt.blockNumber + 1,
      blockTimeMs: block.timestamp * SECOND_MS,
    }
  }
}

function ofToken(logs: readonly RawLog[]): TransferLog[] {
  const token = EVM_USDC.toLowerCase()
  return logs
    .toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex))
    .flatMap((log, position) =>
      log.address.toLowerCase() === token ? [{ ...Log.parse(log), position }] : [],
    )
}

function isRawLog(log: unknown): log is RawLog {
  const { address, logIndex } = (log ?? {}) as Partial<Record<keyof RawLog, unknown>>
  return typeof address === 'string' && typeof logIndex === 'string' && Number.isInteger(Number(logIndex))
}
