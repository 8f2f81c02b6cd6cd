import type { Coin } from '../../../core/coin.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { Kline, Trade } from '../../events.ts'
import { createKlineReader } from '../kline-reader.ts'
import { readRows } from '../read-rows.ts'
import { createRestHost } from '../rest-host.ts'
import type { VenueClient, VenueClientOptions } from '../venue-client.ts'
import { coinbaseProductOf, findCoinbaseKline, findCoinbaseTrade } from './wire.ts'

/** Rows that Coinbase returns at most: trades and candles. */
const TRADES_PAGE = 1_000
const CANDLES_PAGE = 300
/** Pages of one repair: more trades than a repair is asked for. */
const MAX_PAGES = 20
/** Read before the minutes that are asked for: one without trades repeats the close of the last that had some. */
const QUIET_MINUTES = 5
/** Coinbase limits each address by a token bucket of 15 that refills by 10 a second. */
const ALLOWANCE = { burst: 14, perSecond: 9 }

export type CoinbaseRest = Pick<VenueClient, 'latestTrade' | 'tradesBetween' | 'klines'> & { close(): void }

type Options = Pick<VenueClientOptions, 'restUrl' | 'clock' | 'gates' | 'watch' | 'isPaced'>

export function createCoinbaseRest({ restUrl, clock, gates, watch, isPaced }: Options): CoinbaseRest {
  const host = createRestHost({
    baseUrl: restUrl,
    clock,
    gate: gates.of(restUrl),
    allowance: isPaced ? ALLOWANCE : undefined,
  })
  const pathOf = (coin: Coin, reader: string) => `/products/${coinbaseProductOf(coin)}/${reader}`
  const page = async (coin: Coin, query: Record<string, number>): Promise<Trade[]> => {
    const rows = await host.get(pathOf(coin, 'trades'), query, 1)
    const find = (row: unknown) => findCoinbaseTrade(coin, row, clock.now())
    return readRows(rows, find, () => watch.malformed('trades', coin))
  }
  return {
    latestTrade: async (coin) => (await page(coin, { limit: 1 }))[0],
    tradesBetween: (coin, fromId, toId) =>
      collectBack((after) => page(coin, { limit: TRADES_PAGE, ...after }), fromId, toId),
    async klines(coin, fromMs, toMs) {
      const read = createKlineReader(
        (row) => findCoinbaseKline(coin, row),
        () => watch.malformed('trades', coin),
      )
      const firstMs = fromMs - QUIET_MINUTES * MINUTE_MS
      for (let startMs = firstMs; startMs < toMs; startMs += CANDLES_PAGE * MINUTE_MS) {
        const endMs = Math.min(toMs, startMs + CANDLES_PAGE * MINUTE_MS) - MINUTE_MS
        const span = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }
        read.page(await host.ask(pathOf(coin, 'candles'), { granularity: 60, ...span }, 1), endMs - startMs)
      }
      const { klines, ...about } = read.all()
      return { ...about, klines: withQuietMinutes(klines).filter(({ openMs }) => openMs >= fromMs) }
    },
    close: host.close,
  }
}

/** Coinbase leaves out minutes without trades. */
function withQuietMinutes(klines: readonly Kline[]): readonly Kline[] {
  return klines.flatMap((kline, at) => {
    const { openMs, close } = klines[at - 1] ?? kline
    const quiet = { ...kline, open: close, high: close, low: close, close, volume: 0 }
    const count = Math.max(0, (kline.openMs - openMs) / MINUTE_MS - 1)
    const minutes = Array.from({ length: count }, (_, more) => ({
      ...quiet,
      openMs: openMs + (more + 1) * MINUTE_MS,
    }))
    return [...minutes, kline]
  })
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
