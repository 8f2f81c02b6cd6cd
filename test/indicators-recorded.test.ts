import { describe, expect, test } from 'vitest'
import type { Book, Trade } from '../src/feeds/events.ts'
import { createBookImbalance } from '../src/signals/indicators/book-imbalance.ts'
import { createIndicators } from '../src/signals/indicators/indicators.ts'
import { isMissing } from '../src/testing/missing.ts'
import { findHistory } from '../src/testing/signals/indicator-events.ts'

const STEP_MS = 500
const AHEAD_MS = 1_000

describe.each(['BTC', 'ETH'] as const)('eleven recorded minutes of %s', (coin) => {
  const { books, trades } = findTicks(coin)
  const isMarketMissing = isMissing('recordedMarket', books.length > 0)

  test.skipIf(isMarketMissing)('the top of the book tells the direction of the next second', () => {
    const indicators = createIndicators()
    const smoothed = createBookImbalance()
    const moments: { mid: number; atMs: number; top: number; best: number }[] = []
    let nextMs = (books[0]?.atMs ?? 0) + 10_000
    let mid = Number.NaN
    for (const book of books) {
      for (; nextMs <= book.atMs; nextMs += STEP_MS) {
        const top = indicators.microPrice()?.imbalance ?? Number.NaN
        moments.push({ mid, atMs: nextMs, top, best: smoothed.depths(nextMs)[0] ?? Number.NaN })
      }
      indicators.book(book)
      smoothed.book(book)
      mid = midOf(book)
    }
    const pairs = moments.flatMap(({ mid, top, best }, at) => {
      const later = moments[at + AHEAD_MS / STEP_MS]?.mid
      return later === undefined || later === mid ? [] : [{ isUp: later > mid, top, best }]
    })
    const share = (pick: (pair: (typeof pairs)[number]) => number) =>
      pairs.filter((pair) => pick(pair) > 0 === pair.isUp).length / pairs.length
    const [top, best] = [share((pair) => pair.top), share((pair) => pair.best)]
    console.log(
      `${coin}: ${pairs.length} moves of the mid within 1 s, direction told by the newest top of the book ` +
        `${(100 * top).toFixed(1)} %, smoothed over 2 s ${(100 * best).toFixed(1)} %`,
    )
    expect(pairs.length).toBeGreaterThan(300)
    expect(top).toBeGreaterThan(0.68)
    expect(best).toBeGreaterThan(0.53)
  })

  test.skipIf(isMarketMissing)('readings of trades equal sums over all trades so far', () => {
    const indicators = createIndicators()
    const startMs = trades[0]?.atMs ?? 0
    let nextMs = startMs + 300_000
    let compared = 0
    for (const [at, trade] of trades.entries()) {
      for (; nextMs <= trade.atMs; nextMs += 60_000) {
        const { tickMomentum, aggressorRatio } = indicators.read(nextMs)
        const expected = naiveReadings(trades.slice(0, at), nextMs)
        expect(tickMomentum).toBeCloseTo(expected.tickMomentum, 9)
        expect(aggressorRatio).toBeCloseTo(expected.aggressorRatio, 9)
        compared++
      }
      indicators.trade(trade)
    }
    expect(compared).toBeGreaterThanOrEqual(5)
  })

  test.skipIf(isMarketMissing)('takers who buy and ticks up go together', () => {
    const indicators = createIndicators()
    let together = 0
    let apart = 0
    for (const trade of trades) {
      indicators.trade(trade)
      const { tickMomentum, aggressorRatio } = indicators.read(trade.atMs)
      if (tickMomentum === undefined || aggressorRatio === undefined) continue
      expect(Math.abs(tickMomentum)).toBeLessThanOrEqual(1)
      if (tickMomentum * (aggressorRatio - 0.5) > 0) together++
      else apart++
    }
    expect(together).toBeGreaterThan(apart)
  })
})

/** The best bid and ask carry no time of the venue, so all are put in order by when they were received. */
function findTicks(coin: 'BTC' | 'ETH'): { books: Book[]; trades: Trade[] } {
  const file = (kind: string) => `ticks_l2/binance_spot_${coin}USDT_20240808_${kind}.csv.gz`
  const books = (findHistory(file('bbo')) ?? []).map((row): Book => {
    const [, atMs = 0, bid = 0, bidSize = 0, ask = 0, askSize = 0] = row.map(Number)
    return { venue: 'binance', coin, bids: [[bid, bidSize]], asks: [[ask, askSize]], atMs }
  })
  const trades = (findHistory(file('trades')) ?? []).map((row, id): Trade => {
    const [, atMs = 0, price = 0, size = 0, buyerIsMaker] = row.map(Number)
    const side = buyerIsMaker === 0 ? 'buy' : 'sell'
    return { venue: 'binance', coin, id, price, size, side, fills: 1, atMs }
  })
  return { books, trades }
}

function midOf({ bids, asks }: Book): number {
  return ((bids[0]?.[0] ?? Number.NaN) + (asks[0]?.[0] ?? Number.NaN)) / 2
}

function naiveReadings(trades: readonly Trade[], nowMs: number) {
  const decayed = (constantMs: number, term: (trade: Trade, at: number) => number) =>
    trades.reduce((sum, each, at) => sum + term(each, at) * Math.exp((each.atMs - nowMs) / constantMs), 0)
  const tick = ({ price }: Trade, at: number) => Math.sign(price - (trades[at - 1]?.price ?? price))
  return {
    tickMomentum: decayed(30_000, tick) / decayed(30_000, (trade, at) => Math.abs(tick(trade, at))),
    aggressorRatio:
      decayed(60_000, ({ size, side }) => (side === 'buy' ? size : 0)) / decayed(60_000, ({ size }) => size),
  }
}
