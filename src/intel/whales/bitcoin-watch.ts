import { createBoundedCache } from '../../core/bounded-cache.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Mempool } from '../../upstreams/mempool/client.ts'
import type { Block, Sized, Transaction } from '../../upstreams/mempool/wire.ts'
import { type ChainWatch, keepMovement } from './chain-watch.ts'
import { createExchangeFlows } from './exchange-flows.ts'
import { addNet, toMovement } from './movement.ts'
import { LARGE_TRANSFER_USD } from './thresholds.ts'
import type { FindExchange } from './transfer.ts'
import { createTransferBook } from './transfer-book.ts'

export type BitcoinSource = Pick<Mempool, 'blocks' | 'blockSummary' | 'recent' | 'transaction' | 'price'>

type Options = {
  clock: Clock
  source: BitcoinSource
  findExchange: FindExchange
  /** Of a bitcoin; undefined while our own market has none. */
  priceUsd: () => number | undefined
}

const SATS = 1e8
/** One block and its largest transactions fit into a minute of what mempool.space allows. */
export const TRANSACTIONS_PER_BLOCK = 10
/** Six blocks are about an hour; older ones are not read after a start or an outage. */
const BLOCKS_BACK = 6
const BLOCKS_REMEMBERED = 300
const TRANSACTIONS_REMEMBERED = 500
const PENDING_PER_READ = 2

type Read = { height: number; atMs: number }

/** Large transfers of Bitcoin: of every block the largest, and of those that wait whichever are seen. */
export function createBitcoinWatch({ clock, source, findExchange, priceUsd }: Options): ChainWatch {
  const book = createTransferBook()
  const flows = createExchangeFlows()
  const read = new Map<string, Read>()
  const lookedAt = createBoundedCache<string, true>({ capacity: TRANSACTIONS_REMEMBERED })
  const counted = createBoundedCache<string, true>({ capacity: TRANSACTIONS_REMEMBERED })
  let version = 0
  let sinceMs: number | undefined

  const valued = async () => priceUsd() ?? (await source.price()).usd
  const keep = (transaction: Transaction, price: number, at: { atMs: number; isConfirmed: boolean }) => {
    const movement = toMovement(netsOf(transaction), (address) => findExchange('bitcoin', address))
    if (!movement || transaction.isMined) return
    const seen = { chain: 'bitcoin', token: 'BTC', units: SATS } as const
    keepMovement({ ...seen, ...at, hash: transaction.txid, movement, priceUsd: price }, book, flows)
  }
  const readBlock = async (block: Block, price: number) => {
    const { transactions } = await source.blockSummary(block.hash)
    const found: Transaction[] = []
    for (const { txid } of largest(transactions, price, TRANSACTIONS_PER_BLOCK))
      found.push(await source.transaction(txid))
    // Miners may date a block two hours ahead.
    const atMs = Math.min(block.atMs, clock.now())
    // Kept together, so that a block whose reading fails halfway is not counted twice; nor is one that replaces another.
    for (const each of found.filter(({ txid }) => !counted.get(txid))) {
      keep(each, price, { atMs, isConfirmed: true })
      counted.set(each.txid, true)
    }
    remember(read, block)
    version++
  }
  const readPending = async (price: number) => {
    const { transactions } = await source.recent()
    const fresh = transactions.filter(({ txid }) => !lookedAt.get(txid))
    for (const { txid } of largest(fresh, price, PENDING_PER_READ)) {
      lookedAt.set(txid, true)
      const found = await source.transaction(txid)
      keep(found, price, {
        atMs: found.blockAtMs ?? clock.now(),
        // The block itself is read, too; only then does it count for flows.
        isConfirmed: false,
      })
      version++
    }
  }
  return {
    async read() {
      const blocks = (await source.blocks()).toSorted((a, b) => b.height - a.height).slice(0, BLOCKS_BACK)
      const price = await valued()
      // One block each time, the newest first.
      const next = blocks.find(({ hash }) => !read.has(hash))
      if (next) await readBlock(next, price)
      else await readPending(price)
      sinceMs = wholeSince(blocks, read)
      return blocks[0]?.hash ?? ''
    },
    transfers: book.list,
    flow: (token, span, nowMs) => (token === 'BTC' ? flows.sum(span, nowMs) : undefined),
    sinceMs: () => sinceMs,
    get version() {
      return version
    },
  }
}

/** Those that are large even where nothing of them is change, the largest first. */
function largest(transactions: readonly Sized[], priceUsd: number, count: number): readonly Sized[] {
  const least = (LARGE_TRANSFER_USD.BTC / priceUsd) * SATS
  return transactions
    .filter(({ sats }) => sats >= least)
    .sort((a, b) => b.sats - a.sats)
    .slice(0, count)
}

/** Inputs of one transaction have one owner, as a rule; outputs without an address belong to nobody here. */
function netsOf({ inputs, outputs }: Transaction): Map<string, bigint> {
  const nets = new Map<string, bigint>()
  for (const { address = '', sats } of inputs) addNet(nets, address, -BigInt(Math.round(sats)))
  for (const { address = '', sats } of outputs) addNet(nets, address, BigInt(Math.round(sats)))
  nets.delete('')
  return nets
}

function remember(read: Map<string, Read>, { hash, height, atMs }: Block): void {
  read.set(hash, { height, atMs })
  const oldest = read.size > BLOCKS_REMEMBERED ? read.keys().next().value : undefined
  if (oldest !== undefined) read.delete(oldest)
}

/** The time of the lowest block below which one is missing. */
function wholeSince(blocks: readonly Block[], read: ReadonlyMap<string, Read>): number | undefined {
  const heights = new Map([...read.values()].map(({ height, atMs }) => [height, atMs]))
  let since: number | undefined
  for (let height = blocks[0]?.height ?? -1; heights.has(height); height--) since = heights.get(height)
  return since
}
