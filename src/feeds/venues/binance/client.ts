import type { Clock } from '../../../core/clock.ts'
import { COINS, type Coin } from '../../../core/coin.ts'
import type { Kline, Trade } from '../../events.ts'
import { readRows } from '../../wire-rows.ts'
import { loadExchange } from '../ccxt-exchange.ts'
import { dropSocket, guardExchange, socketsWith, unsubscribe } from '../ccxt-guard.ts'
import { ccxtMarketOf, toRawBook } from '../ccxt-market.ts'
import type { VenueClient, WireWatch } from '../venue-client.ts'
import { binanceSymbolOf, findBinanceKline, findBinanceTrade, judgeBinance } from './wire.ts'

/** Rows that Binance returns at most. */
const PAGE = 1_000
/** Pages of one repair: more trades than a repair is asked for. */
const MAX_PAGES = 20

export type BinanceOptions = {
  restUrl: string
  wsUrl: string
  clock: Clock
  watch: WireWatch
  /** ccxt's own pacing of REST calls, in wall time; off only against a server of our own. */
  isPaced: boolean
}

/** Binance spot through ccxt pro: aggregate trades, whose ids have no holes, and the diff book. */
export async function createBinanceClient(options: BinanceOptions): Promise<VenueClient> {
  const { clock, watch } = options
  const exchange = await createExchange(options)
  guardExchange(exchange, (_, message) => {
    const verdict = judgeBinance(message, clock.now())
    if (verdict.kind === 'malformed') watch.malformed(verdict.stream, verdict.coin)
    return verdict.kind === 'pass'
  })
  const toTrades = (coin: Coin, reply: unknown) =>
    readRows(reply, (row) => findBinanceTrade(coin, row, clock.now()))
  const page = async (coin: Coin, query: Record<string, number>) =>
    toTrades(coin, await exchange.publicGetAggTrades({ symbol: binanceSymbolOf(coin), ...query }))

  return {
    venue: 'binance',
    watchTrades: async (coin) => {
      // The object is ours alone: ccxt writes into it.
      const trades = await exchange.watchTrades(symbolOf(coin), undefined, undefined, { name: 'aggTrade' })
      return toTrades(
        coin,
        trades.map((trade) => trade.info),
      )
    },
    watchBook: async (coin) => toRawBook(await exchange.watchOrderBook(symbolOf(coin))),
    resyncBook(coin) {
      delete exchange.orderbooks[symbolOf(coin)]
      for (const socket of socketsWith(exchange, bookHash(coin))) unsubscribe(socket, bookHash(coin))
    },
    restart(stream, coin) {
      const hash = stream === 'book' ? bookHash(coin) : `trade::${symbolOf(coin)}`
      for (const socket of socketsWith(exchange, hash)) dropSocket(socket)
    },
    latestTrade: async (coin) => (await page(coin, { limit: 1 })).at(-1),
    tradesBetween: (coin, fromId, toId) =>
      collect((from) => page(coin, { fromId: from, limit: PAGE }), fromId, toId),
    async klines(coin, fromMs, toMs) {
      const query = { symbol: binanceSymbolOf(coin), interval: '1m', limit: PAGE, endTime: toMs - 1 }
      const klines: Kline[] = []
      for (let startTime = fromMs; startTime < toMs; startTime += PAGE * 60_000) {
        const rows = await exchange.publicGetKlines({ ...query, startTime })
        klines.push(...readRows(rows, (row) => findBinanceKline(coin, row)))
      }
      return klines
    },
    close: async () => {
      await exchange.close()
    },
  }
}

async function createExchange({ restUrl, wsUrl, isPaced }: BinanceOptions) {
  const Exchange = await loadExchange('binance')
  const exchange = new Exchange({
    newUpdates: true,
    enableRateLimit: isPaced,
    // Reconnects are paced by our own backoff, on our own clock.
    options: { defaultType: 'spot', ws: { backoff: { base: 0 } } },
  })
  const api = exchange.urls.api as { public: string; ws: Record<string, unknown> }
  api.public = `${restUrl}/api/v3`
  api.ws.spot = `${wsUrl}/ws`
  exchange.setMarkets(COINS.map((coin) => ccxtMarketOf(coin, 'USDT', binanceSymbolOf(coin))))
  // Without this ccxt refuses ws:// addresses.
  await exchange.loadHttpProxyAgent()
  return exchange
}

async function collect(
  pageFrom: (fromId: number) => Promise<readonly Trade[]>,
  fromId: number,
  toId: number | undefined,
): Promise<readonly Trade[]> {
  const trades: Trade[] = []
  let next = fromId
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await pageFrom(next)
    trades.push(...page.filter((trade) => trade.id >= fromId && (toId === undefined || trade.id <= toId)))
    const last = page.at(-1)
    if (!last || page.length < PAGE || (toId !== undefined && last.id >= toId)) break
    next = last.id + 1
  }
  return trades
}

function symbolOf(coin: Coin): string {
  return `${coin}/USDT`
}

function bookHash(coin: Coin): string {
  return `orderbook::${symbolOf(coin)}`
}
