import { z } from 'zod'
import { SECOND_MS } from '../../core/time/time.ts'
import { EVM_USDC } from '../../core/usdc.ts'
import { toQuantity } from '../chain/evm/block.ts'
import { checkReceipts } from '../chain/evm/check-past.ts'
import { type OwnHeight, readFinal } from '../chain/evm/final-block.ts'
import { Log, Quantity } from '../chain/evm/logs.ts'
import { HEAD, receiptCall } from '../chain/evm/receipts.ts'
import { callTogether, type JsonRpc, type ReplyLimits, ReplyTooLargeError } from '../chain/json-rpc.ts'
import type { ChainNode } from '../chain/nodes/chain-node.ts'
import type { ChainNodes } from '../chain/nodes/chain-nodes.ts'
import type { TransferLog } from './transfers.ts'

export type MinedTransaction = {
  succeeded: boolean
  /** Of our token, in their order. */
  logs: readonly TransferLog[]
  /** Its own block and those after it, up to the height that was asked for; none where it is above that. */
  confirmations: number
  blockTimeMs: number
}
/**
 * Undefined while the transaction is in no block; throws when the chain cannot be asked, and `ReplyTooLargeError` for a
 * receipt that is longer than is read.
 */
export type ReadTransaction = (hash: string) => Promise<MinedTransaction | undefined>
/** How a node is asked for the height up to which blocks count. */
type HeightOf = (rpc: JsonRpc) => Promise<OwnHeight>
type Options = { limits?: ReplyLimits; heightOf?: HeightOf }

const byHead: HeightOf = async () => HEAD
/** Only blocks count that nothing can take back. */
export const byFinal: HeightOf = async (rpc) => (await readFinal(rpc)).own
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
export function createAgreedReadTransaction(nodes: ChainNodes, options?: Options): ReadTransaction {
  const readers = new Map(nodes.all.map((node) => [node, createReadTransaction(node.rpc, options)]))
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
    if (counts(mined)) return mined
    let shown = mined
    const others = nodes.present().filter((each) => each !== node)
    for (const other of others) {
      const found = await readers
        .get(other)?.(hash)
        .catch((error): undefined => {
          if (!shown) throw error
        })
      if (counts(found)) return found
      shown ??= found
    }
    return shown
  }
}

const counts = (mined: MinedTransaction | undefined) => mined !== undefined && mined.confirmations > 0

/** As for a transaction that none of them has, it takes all of them. */
export function createAgreedCheckPast(nodes: ChainNodes): CheckPast {
  return async (atMs) => {
    for (const { rpc } of nodes.present()) await checkReceipts(rpc, atMs / SECOND_MS)
  }
}

export function createReadTransaction(
  rpc: JsonRpc,
  { limits, heightOf = byHead }: Options = {},
): ReadTransaction {
  return async (hash) => {
    const height = await heightOf(rpc)
    // Of one machine: behind one address may be several, and one of them on a fork that was left.
    const [upTo, reply] = await callTogether(rpc, [height.call, receiptCall(hash)], limits)
    const receipt = Receipt.parse(reply)
    if (!receipt) return undefined
    if (receipt.transactionHash !== hash) throw new Error('the node answered for another transaction')
    const at = toQuantity(receipt.blockNumber)
    const block = Block.parse(await rpc.call('eth_getBlockByNumber', [at, false]))
    // Another block is there by now: the chain is being reorganised.
    if (block?.hash !== receipt.blockHash) return undefined
    return {
      succeeded: receipt.status === 1,
      logs: ofToken(receipt.logs),
      confirmations: Math.max(0, height.numberOf(upTo) - receipt.blockNumber + 1),
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
