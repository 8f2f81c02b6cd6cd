import { ASSETS, type Asset } from '../../../core/asset.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Kline, Trade } from '../../events.ts'
import { readRows } from '../../wire-rows.ts'
import { isRecord } from '../../wire-verdict.ts'
import { loadExchange } from '../ccxt-exchange.ts'
import { type CcxtSocket, dropSocket, guardExchange, socketsWith, unsubscribe } from '../ccxt-guard.ts'
import { ccxtMarketOf, toRawBook } from '../ccxt-market.ts'
import type { VenueClient, WireWatch } from '../venue-client.ts'
import { type CoinbaseBookGate, createCoinbaseBookGate } from './book-gate.ts'
import {
  coinbaseProductOf,
  findCoinbaseAsset,
  findCoinbaseKline,
  findCoinbaseTrade,
  judgeCoinbase,
} from './wire.ts'

/** Rows that Coinbase returns at most: trades and candles. */
const TRADES_PAGE = 1_000
const CANDLES_PAGE = 300
/** Pages of one repair: more trades than a repair is asked for. */
const MAX_PAGES = 20
/** Public, batched to 50 ms. ccxt would take `level2`, which has the same messages and needs an account. */
const BOOK_CHANNEL = 'level2_batch'

export type CoinbaseOptions = {
  restUrl: string
  wsUrl: string
  clock: Clock
  watch: WireWatch
  /** ccxt's own pacing of REST calls, in wall time; off only against a server of our own. */
  isPaced: boolean
}

/** Coinbase Exchange through ccxt pro: matches, whose ids have no holes, and the batched level-2 book. */
export async function createCoinbaseClient(options: CoinbaseOptions): Promise<VenueClient> {
  const { clock, watch } = options
  const exchange = await createExchange(options)
  const gate = createCoinbaseBookGate()
  guardExchange(exchange, createAdmission(clock, watch, gate))
  const toTrades = (asset: Asset, reply: unknown) =>
    readRows(reply, (row) => findCoinbaseTrade(asset, row, clock.now()))
  const page = async (asset: Asset, query: Record<string, number>) =>
    toTrades(asset, await exchange.publicGetProductsIdTrades({ id: coinbaseProductOf(asset), ...query }))

  return {
    venue: 'coinbase',
    watchTrades: async (asset) => {
      const trades = await exchange.watchTrades(symbolOf(asset))
      return toTrades(
        asset,
        trades.map((trade) => trade.info),
      )
    },
    watchBook: async (asset) =>
      toRawBook(await exchange.watchOrderBook(symbolOf(asset), undefined, { channels: [BOOK_CHANNEL] })),
    resyncBook(asset) {
      gate.forget(asset)
      delete exchange.orderbooks[symbolOf(asset)]
      // A second subscribe alone brings no snapshot.
      const goodbye = {
        type: 'unsubscribe',
        product_ids: [coinbaseProductOf(asset)],
        channels: [BOOK_CHANNEL],
      }
      for (const socket of socketsWith(exchange, bookHash(asset))) {
        void socket.send(goodbye)
        unsubscribe(socket, bookHash(asset))
      }
    },
    restart(stream, asset) {
      const hash = stream === 'book' ? bookHash(asset) : `matches:${coinbaseProductOf(asset)}`
      for (const socket of socketsWith(exchange, hash)) dropSocket(socket)
    },
    latestTrade: async (asset) => (await page(asset, { limit: 1 }))[0],
    tradesBetween: (asset, fromId, toId) =>
      collectBack((after) => page(asset, { limit: TRADES_PAGE, ...after }), fromId, toId),
    klines: async (asset, fromMs, toMs) => {
      const query = { id: coinbaseProductOf(asset), granularity: 60 }
      const klines: Kline[] = []
      for (let startMs = fromMs; startMs < toMs; startMs += CANDLES_PAGE * 60_000) {
        const endMs = Math.min(toMs, startMs + CANDLES_PAGE * 60_000) - 60_000
        const span = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }
        const rows = await exchange.publicGetProductsIdCandles({ ...query, ...span })
        klines.push(...readRows(rows, (row) => findCoinbaseKline(asset, row)).reverse())
      }
      return klines
    },
    close: async () => {
      await exchange.close()
    },
  }
}

async function createExchange({ restUrl, wsUrl, isPaced }: CoinbaseOptions) {
  const Exchange = await loadExchange('coinbaseexchange')
  const exchange = new Exchange({
    newUpdates: true,
    enableRateLimit: isPaced,
    // Reconnects are paced by our own backoff, on our own clock.
    options: { ws: { backoff: { base: 0 } } },
  })
  const api = exchange.urls.api as { public: string; ws: string }
  api.public = restUrl
  api.ws = wsUrl
  // ccxt signs every book subscription; a public channel wants none of these fields.
  const unsigned: { authenticate: () => object } = exchange
  unsigned.authenticate = () => ({})
  exchange.setMarkets(ASSETS.map((asset) => ccxtMarketOf(asset, 'USD', coinbaseProductOf(asset))))
  // Without this ccxt refuses ws:// addresses.
  await exchange.loadHttpProxyAgent()
  return exchange
}

function createAdmission(clock: Clock, watch: WireWatch, gate: CoinbaseBookGate) {
  const breakBooks = (assets: readonly Asset[]) => {
    for (const asset of assets) {
      gate.forget(asset)
      watch.bookBroken(asset)
    }
  }
  return (socket: CcxtSocket, message: unknown): boolean => {
    const verdict = judgeCoinbase(message, clock.now())
    if (verdict.kind === 'malformed') {
      watch.malformed(verdict.stream, verdict.asset)
      // What cannot be read may have been a change of any book, and no number would tell.
      if (verdict.stream !== 'trades') breakBooks(verdict.asset ? [verdict.asset] : ASSETS)
      return false
    }
    if (!isRecord(message) || (message.type !== 'snapshot' && message.type !== 'l2update')) return true
    const asset = findCoinbaseAsset(message)
    const admitted = asset && gate.admit(socket, asset, message)
    if (asset && admitted === 'disorder') breakBooks([asset])
    return admitted === 'pass'
  }
}

/** Pages run from the newest back: `after` asks for older ones. */
async function collectBack(
  pageAfter: (after: { after?: number }) => Promise<readonly Trade[]>,
  fromId: number,
  toId: number | undefined,
): Promise<readonly Trade[]> {
  const trades: Trade[] = []
  let after = toId === undefined ? {} : { after: toId + 1 }
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await pageAfter(after)
    trades.push(...page.filter((trade) => trade.id >= fromId && (toId === undefined || trade.id <= toId)))
    const oldest = page.at(-1)
    if (!oldest || oldest.id <= fromId) break
    after = { after: oldest.id }
  }
  return trades.reverse()
}

function symbolOf(asset: Asset): string {
  return `${asset}/USD`
}

/** ccxt keeps its own name for the channel. */
function bookHash(asset: Asset): string {
  return `level2:${coinbaseProductOf(asset)}`
}
