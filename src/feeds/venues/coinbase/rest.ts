import type { Coin } from '../../../core/coin.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { Kline, Trade } from '../../events.ts'
import { readRows } from '../read-rows.ts'
import { createRestHost } from '../rest-host.ts'
import type { VenueClient, WireWatch } from '../venue-client.ts'
import { coinbaseProductOf, findCoinbaseKline, findCoinbaseTrade } from './wire.ts'

/** Rows that Coinbase returns at most: trades and candles. */
const TRADES_PAGE = 1_000
const CANDLES_PAGE = 300
/** Pages of one repair: more trades than a repair is asked for. */
const MAX_PAGES = 20
/** Coinbase limits each address by a token bucket of 15 that refills by 10 a second. */
const ALLOWANCE = { burst: 14, perSecond: 9 }

export type CoinbaseRest = Pick<VenueClient, 'latestTrade' | 'tradesBetween' | 'klines'> & { close(): void }

type Options = { restUrl: string; clock: Clock; watch: WireWatch; isPaced: boolean }

export function createCoinbaseRest({ restUrl, clock, watch, isPaced }: Options): CoinbaseRest {
  const host = createRestHost({ baseUrl: restUrl, clock, allowance: isPaced ? ALLOWANCE : undefined })
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
      const klines: Kline[] = []
      for (let startMs = fromMs; startMs < toMs; startMs += CANDLES_PAGE * 60_000) {
        const endMs = Math.min(toMs, startMs + CANDLES_PAGE * 60_000) - 60_000
        const span = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() }
        const rows = await host.get(pathOf(coin, 'candles'), { granularity: 60, ...span }, 1)
        const find = (row: unknown) => findCoinbaseKline(coin, row)
        klines.push(...readRows(rows, find, () => watch.malformed('trades', coin)).reverse())
      }
      return klines
    },
    close: host.close,
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
