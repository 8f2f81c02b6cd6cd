import { COINS, type Coin } from '../../src/core/coin.ts'
import type { Level } from '../../src/core/level.ts'
import { createDraws, createRandomStream } from '../../src/core/math/random.ts'
import type { Book, FeedSink, OracleTick, Trade, Venue } from '../../src/feeds/events.ts'

/** One event of a market, as a feed hands it on. */
export type MarketEvent =
  | { type: 'trade'; atMs: number; event: Trade }
  | { type: 'book'; atMs: number; event: Book }
  | { type: 'oracle'; atMs: number; event: OracleTick }

export const EVENTS_PER_S = 2_000
const LEVELS = 10
/** Shares of the events: more than half are books, and three of four come from the larger venue. */
const BOOK_SHARE = 0.55
const BINANCE_SHARE = 0.75
const PRICES: Record<Coin, number> = { BTC: 60_000, ETH: 3_000, SOL: 150, XRP: 2 }
/** Of a step of the price, one per event of a coin; gives about 0.06 % a minute. */
const STEP = 6e-6
const SPREAD = 1e-5

/** An endless market of four coins: trades, ten-level books and, once a second and coin, both kinds of oracle tick. */
export function* marketEvents(startMs: number, seed: string): Generator<MarketEvent> {
  const draws = createDraws(createRandomStream('bench', seed))
  const price = { ...PRICES }
  let id = 0
  let second = Math.floor(startMs / 1000)
  for (let count = 0; ; count++) {
    const atMs = startMs + Math.floor((count * 1000) / EVENTS_PER_S)
    if (Math.floor(atMs / 1000) > second) {
      second = Math.floor(atMs / 1000)
      for (const coin of COINS)
        for (const kind of ['spot', 'twap_60s'] as const) {
          const event = { coin, kind, price: price[coin], source: 'polybolt', atMs: second * 1000 } as const
          yield { type: 'oracle', atMs, event }
        }
    }
    const coin = COINS[draws.below(COINS.length)] ?? 'BTC'
    const venue: Venue = draws.uniform() < BINANCE_SHARE ? 'binance' : 'coinbase'
    price[coin] *= 1 + STEP * draws.normal()
    if (draws.uniform() < BOOK_SHARE)
      yield { type: 'book', atMs, event: bookAt(venue, coin, price[coin], atMs) }
    else {
      const side = draws.uniform() < 0.5 ? 'buy' : 'sell'
      const event = {
        venue,
        coin,
        id: id++,
        price: price[coin],
        size: draws.uniform(),
        side,
        fills: 1,
        atMs,
      } as const
      yield { type: 'trade', atMs, event }
    }
  }
}

function bookAt(venue: Venue, coin: Coin, mid: number, atMs: number): Book {
  const side = (sign: number): Level[] =>
    Array.from({ length: LEVELS }, (_, level) => [mid * (1 + sign * SPREAD * (level + 1)), 1 + level])
  return { venue, coin, bids: side(-1), asks: side(1), atMs }
}

export function tell(sink: FeedSink, event: MarketEvent): void {
  if (event.type === 'book') sink.book(event.event)
  else if (event.type === 'trade') sink.trade(event.event)
  else sink.oracle(event.event)
}

/** The next `count` of them. */
export function take(events: Generator<MarketEvent>, count: number): MarketEvent[] {
  return Array.from({ length: count }, () => events.next().value)
}
