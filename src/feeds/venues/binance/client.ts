import { ASSETS, type Asset } from '../../../core/asset.ts'
import type { Clock } from '../../../core/clock.ts'
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
    if (verdict.kind === 'malformed') watch.malformed(verdict.stream, verdict.asset)
    return verdict.kind === 'pass'
  })
  const toTrades = (asset: Asset, reply: unknown) =>
    readRows(reply, (row) => findBinanceTrade(asset, row, clock.now()))
  const page = async (asset: Asset, query: Record<string, number>) =>
    toTrades(asset, await exchange.publicGetAggTrades({ symbol: binanceSymbolOf(asset), ...query }))

  return {
    venue: 'binance',
    watchTrades: async (asset) => {
      // The object is ours alone: ccxt writes into it.
      const trades = await exchange.watchTrades(symbolOf(asset), undefined, undefined, { name: 'aggTrade' })
      return toTrades(
        asset,
        trades.map((trade) => trade.info),
      )
    },
    watchBook: async (asset) => toRawBook(await exchange.watchOrderBook(symbolOf(asset))),
    resyncBook(asset) {
      delete exchange.orderbooks[symbolOf(asset)]
      for (const socket of socketsWith(exchange, bookHash(asset))) unsubscribe(socket, bookHash(asset))
    },
    restart(stream, asset) {
      const hash = stream === 'book' ? bookHash(asset) : `trade::${symbolOf(asset)}`
      for (const socket of socketsWith(exchange, hash)) dropSocket(socket)
    },
    latestTrade: async (asset) => (await page(asset, { limit: 1 })).at(-1),
    tradesBetween: (asset, fromId, toId) =>
      collect((from) => page(asset, { fromId: from, limit: PAGE }), fromId, toId),
    async klines(asset, fromMs, toMs) {
      const query = { symbol: binanceSymbolOf(asset), interval: '1m', limit: PAGE, endTime: toMs - 1 }
      const klines: Kline[] = []
      for (let startTime = fromMs; startTime < toMs; startTime += PAGE * 60_000) {
        const rows = await exchange.publicGetKlines({ ...query, startTime })
        klines.push(...readRows(rows, (row) => findBinanceKline(asset, row)))
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
  exchange.setMarkets(ASSETS.map((asset) => ccxtMarketOf(asset, 'USDT', binanceSymbolOf(asset))))
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

function symbolOf(asset: Asset): string {
  return `${asset}/USDT`
}

function bookHash(asset: Asset): string {
  return `orderbook::${symbolOf(asset)}`
}
