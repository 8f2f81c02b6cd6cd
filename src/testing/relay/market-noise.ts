import { COINS, type Coin } from '../../core/coin.ts'
import type { Level } from '../../core/level.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { type BookFault, type FeedSink, PRICE_KINDS, VENUES, type Venue } from '../../feeds/events.ts'
import type { Seeded } from '../seeded.ts'

/** Events of every kind, as bad as feeds make them: holes in ids, late trades, doubled seconds, books lost and found. */
export function createMarketNoise(seeded: Seeded, sink: FeedSink): (nowMs: number) => void {
  const ids = new Map<string, number>()
  const prices = new Map<string, number>()
  const walk = (of: string) => {
    const next = (prices.get(of) ?? 100 + seeded.below(900)) * (1 + (seeded.fraction() - 0.5) * 0.002)
    prices.set(of, next)
    return next
  }
  const trade = (venue: Venue, coin: Coin, nowMs: number) => {
    const id = (ids.get(venue + coin) ?? seeded.below(1_000)) + (seeded.chance(0.97) ? 1 : 5)
    ids.set(venue + coin, id)
    const lateMs = seeded.chance(0.05) ? seeded.below(3 * MINUTE_MS) : seeded.below(90)
    const takeSide = seeded.chance(0.5) ? 'buy' : 'sell'
    const [price, size, fills] = [walk(coin), seeded.fraction() * 3, 1 + seeded.below(3)]
    sink.trade({ venue, coin, id, price, size, side: takeSide, fills, atMs: nowMs - lateMs })
  }
  const book = (venue: Venue, coin: Coin, nowMs: number) => {
    const mid = walk(coin) * (venue === 'binance' ? 1.0007 : 1)
    const side = (sign: number): Level[] =>
      Array.from({ length: 1 + seeded.below(8) }, (_, n) => [
        mid + sign * (n + 0.5) * 0.01,
        seeded.fraction() + 0.1,
      ])
    sink.book({ venue, coin, bids: side(-1), asks: side(1), atMs: nowMs - seeded.below(300) })
  }
  const rare = (venue: Venue, coin: Coin, nowMs: number) => {
    const openMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - seeded.between(1, 40) * MINUTE_MS
    const fault = seeded.pick<BookFault>(['crossed', 'sequence', 'stalled', 'disconnected'])
    const known = seeded.chance(0.5)
    const open = walk(coin)
    const events = [
      () => sink.bookLost({ venue, coin, fault, atMs: nowMs }),
      () => sink.tradeDoubt({ venue, coin, atMs: nowMs }),
      () => sink.minuteLost({ venue, coin, openMs }),
      () =>
        sink.kline({
          ...{
            venue,
            coin,
            openMs,
            open,
            high: open * 1.01,
            low: open * 0.99,
            close: open * 1.001,
            volume: 12.5,
          },
          ...{ takerBuyVolume: known ? 4.25 : undefined, trades: known ? 17 : undefined },
        }),
    ] as const
    seeded.pick<() => void>([...events])()
  }
  return (nowMs) => {
    for (let n = seeded.below(6); n > 0; n--) {
      const [venue, coin] = [seeded.pick([...VENUES]), seeded.pick([...COINS])]
      const what = seeded.fraction()
      if (what < 0.45) trade(venue, coin, nowMs)
      else if (what < 0.7) book(venue, coin, nowMs)
      else if (what < 0.9)
        sink.oracle({
          ...{ coin, kind: seeded.pick([...PRICE_KINDS]), price: walk(coin), source: 'polybolt' },
          atMs: nowMs - (seeded.chance(0.2) ? seeded.below(600) * 1_000 : seeded.below(2) * 500),
        })
      else rare(venue, coin, nowMs)
    }
  }
}
