import type { Coin } from '../../../core/coin.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { Trade } from '../../events.ts'
import { createKlineReader } from '../kline-reader.ts'
import { readRows } from '../read-rows.ts'
import { createRestHost } from '../rest-host.ts'
import type { VenueClient, VenueClientOptions } from '../venue-client.ts'
import {
  binanceSymbolOf,
  type DepthSnapshot,
  findBinanceKline,
  findBinanceTrade,
  findDepthSnapshot,
  SNAPSHOT_LEVELS,
} from './wire.ts'

/** Rows that Binance returns at most. */
const PAGE = 1_000
/** Pages of one repair: more trades than a repair is asked for. */
const MAX_PAGES = 20
/** Binance allows a weight of 6,000 a minute for each address; this uses at most 4,000 in any minute. */
const ALLOWANCE = { burst: 1_000, perSecond: 50 }
const WEIGHT = { trades: 4, klines: 2, depth: 50 }

export type BinanceRest = Pick<VenueClient, 'latestTrade' | 'tradesBetween' | 'klines'> & {
  depth(coin: Coin): Promise<DepthSnapshot>
  close(): void
}

type Options = Pick<VenueClientOptions, 'restUrl' | 'clock' | 'gates' | 'watch' | 'isPaced'>

export function createBinanceRest({ restUrl, clock, gates, watch, isPaced }: Options): BinanceRest {
  const host = createRestHost({
    baseUrl: `${restUrl}/api/v3`,
    clock,
    gate: gates.of(restUrl),
    allowance: isPaced ? ALLOWANCE : undefined,
  })
  const page = async (coin: Coin, query: Record<string, number>): Promise<Trade[]> => {
    const rows = await host.get('/aggTrades', { symbol: binanceSymbolOf(coin), ...query }, WEIGHT.trades)
    const find = (row: unknown) => findBinanceTrade(coin, row, clock.now())
    return readRows(rows, find, () => watch.malformed('trades', coin))
  }
  return {
    latestTrade: async (coin) => (await page(coin, { limit: 1 })).at(-1),
    tradesBetween: (coin, fromId, toId) =>
      collect((from) => page(coin, { fromId: from, limit: PAGE }), fromId, toId),
    async klines(coin, fromMs, toMs) {
      const query = { symbol: binanceSymbolOf(coin), interval: '1m', limit: PAGE, endTime: toMs - 1 }
      const read = createKlineReader(
        (row) => findBinanceKline(coin, row),
        () => watch.malformed('trades', coin),
      )
      for (let startTime = fromMs; startTime < toMs; startTime += PAGE * MINUTE_MS) {
        const spanMs = Math.min(toMs - startTime, PAGE * MINUTE_MS)
        read.page(await host.ask('/klines', { ...query, startTime }, WEIGHT.klines), spanMs)
      }
      return read.all()
    },
    async depth(coin) {
      const query = { symbol: binanceSymbolOf(coin), limit: SNAPSHOT_LEVELS }
      const snapshot = findDepthSnapshot(await host.get('/depth', query, WEIGHT.depth))
      if (snapshot) return snapshot
      watch.malformed('book', coin)
      throw new Error('malformed book snapshot')
    },
    close: host.close,
  }
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
    // Ids have no holes: a page that ends sooner was the last one, even if some of its rows were broken.
    if (!last || last.id < next + PAGE - 1 || (toId !== undefined && last.id >= toId)) break
    next = last.id + 1
  }
  return trades
}
