import type { Clock } from '../../../core/clock.ts'
import { COINS, type Coin } from '../../../core/coin.ts'
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
  const toTrades = (coin: Coin, reply: unknown) =>
    readRows(reply, (row) => findCoinbaseTrade(coin, row, clock.now()))
  const page = async (coin: Coin, query: Record<string, number>) =>
    toTrades(coin, await exchange.publicGetProductsIdTrades({ id: coinbaseProductOf(coin), ...query }))

  return {
    venue: 'coinbase',
    watchTrades: async (coin) => {
      const trades = await exchange.watchTrades(symbolOf(coin))
      return toTrades(
        coin,
        trades.map((trade) => trade.info),
      )
    },
    watchBook: async (coin) =>
      toRawBook(await exchange.watchOrderBook(symbolOf(coin), undefined, { channels: [BOOK_CHANNEL] })),
    resyncBook(coin) {
      gate.forget(coin)
      delete exchange.orderbooks[symbolOf(coin)]
      // A second subscribe alone brings no snapshot.
      const goodbye = {
        type: 'unsubscribe',
        product_ids: [coinbaseProductOf(coin)],
        channels: [BOOK_CHANNEL],
      }
      for (const socket of socketsWith(exchange, bookHash(coin))) {
        void socket.send(goodbye)
        unsubscribe(socket, bookHash(coin))
      }
    },
    restart(stream, coin) {
      const hash = stream === 'book' ? bookHash(coin) : `matches:${coinbaseProductOf(coin)}`
      for (const socket of socketsWith(exchange, hash)) dropSocket(socket)
    },
    latestTrade: async (coin) => (await page(coin, { limit: 1 }))[0],
    tradesBetween: (coin, fromId, toId) =>
      collectBack((after) => page(coin, { limit: TRADES_PAGE, ...after }), fromId, toId),
    klines: async (coin, fromMs, toMs) => {
      const query = { id: coinbaseProductOf(coin), granularity: 60 }
      const klines: Kline[] = []
      for (let startMs = fromMs; startMs < toMs; startMs += CANDLES_PAGE * 60_000) {
        const endMs = Math.min(toMs, startMs + CANDLES_PAGE * 60_000) - 60_000
        const span = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }
        const rows = await exchange.publicGetProductsIdCandles({ ...query, ...span })
        klines.push(...readRows(rows, (row) => findCoinbaseKline(coin, row)).reverse())
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
  exchange.setMarkets(COINS.map((coin) => ccxtMarketOf(coin, 'USD', coinbaseProductOf(coin))))
  // Without this ccxt refuses ws:// addresses.
  await exchange.loadHttpProxyAgent()
  return exchange
}

function createAdmission(clock: Clock, watch: WireWatch, gate: CoinbaseBookGate) {
  const breakBooks = (coins: readonly Coin[]) => {
    for (const coin of coins) {
      gate.forget(coin)
      watch.bookBroken(coin)
    }
  }
  return (socket: CcxtSocket, message: unknown): boolean => {
    const verdict = judgeCoinbase(message, clock.now())
    if (verdict.kind === 'malformed') {
      watch.malformed(verdict.stream, verdict.coin)
      // What cannot be read may have been a change of any book, and no number would tell.
      if (verdict.stream !== 'trades') breakBooks(verdict.coin ? [verdict.coin] : COINS)
      return false
    }
    if (!isRecord(message) || (message.type !== 'snapshot' && message.type !== 'l2update')) return true
    const coin = findCoinbaseAsset(message)
    const admitted = coin && gate.admit(socket, coin, message)
    if (coin && admitted === 'disorder') breakBooks([coin])
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

function symbolOf(coin: Coin): string {
  return `${coin}/USD`
}

/** ccxt keeps its own name for the channel. */
function bookHash(coin: Coin): string {
  return `level2:${coinbaseProductOf(coin)}`
}
