import { txidPart } from '../rules/path-parts.ts'
import { type Upstream, UpstreamError } from '../upstream.ts'
import {
  type Block,
  BlocksReply,
  type Fees,
  FeesReply,
  PricesReply,
  type SizedList,
  SizedReply,
  type Transaction,
  TransactionReply,
} from './wire.ts'

/** The summary of a full block is below 1 MB; of the smallest transactions it would be 3 MB. */
const MAX_SUMMARY_BYTES = 8 * 1024 * 1024
/** A transaction that fills a block. */
const MAX_TRANSACTION_BYTES = 16 * 1024 * 1024
const LARGE_TIMEOUT_MS = 20_000

/** The chain of Bitcoin as mempool.space sees it. */
export type Mempool = {
  /** The last blocks, newest first. */
  blocks(): Promise<readonly Block[]>
  /** Every transaction of a block by its size, in one request; page by page it would take a hundred. */
  blockSummary(hash: string): Promise<SizedList>
  /** The ten transactions that arrived last: a sample of those that wait for a block. */
  recent(): Promise<SizedList>
  transaction(txid: string): Promise<Transaction>
  price(): Promise<{ atMs: number; usd: number }>
  fees(): Promise<Fees>
}

export function createMempool({ ask }: Pick<Upstream, 'ask'>): Mempool {
  return {
    blocks: () => ask({ path: '/api/v1/blocks', schema: BlocksReply }),
    blockSummary: async (hash) =>
      ask({
        path: `/api/v1/block/${txidPart(hash)}/summary`,
        schema: SizedReply,
        maxBytes: MAX_SUMMARY_BYTES,
        timeoutMs: LARGE_TIMEOUT_MS,
      }),
    recent: () => ask({ path: '/api/mempool/recent', schema: SizedReply }),
    async transaction(txid) {
      const path = `/api/tx/${txidPart(txid)}`
      const found = await ask({
        path,
        schema: TransactionReply,
        maxBytes: MAX_TRANSACTION_BYTES,
        timeoutMs: LARGE_TIMEOUT_MS,
      })
      if (found.txid === txid) return found
      throw new UpstreamError('malformed', `GET ${path}: another transaction`)
    },
    price: () => ask({ path: '/api/v1/prices', schema: PricesReply }),
    fees: () => ask({ path: '/api/v1/fees/recommended', schema: FeesReply }),
  }
}
