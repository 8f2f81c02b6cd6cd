import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { SIM_VENUES } from './instrument.ts'
import type { SimBookDiff, SimLevel, SimTrade } from './sim-events.ts'
import { type Cadence, createSimulatedMarket, type SimulatedMarket } from './simulated-market.ts'

const START_MS = Date.UTC(2026, 4, 6, 0, 30, 30)
const SLOW: Cadence = { bookEveryMs: 1000, tradesPerSecond: 0.5 }

function listenAll(market: SimulatedMarket, hear: (kind: string, event: { atMs: number }) => void) {
  market.onTrade((event) => hear('trade', event))
  market.onBookDiff((event) => hear('diff', event))
  market.onOracle((event) => hear('oracle', { ...event, atMs: event.publishedMs }))
  market.onFunding((event) => hear('funding', event))
  market.onLiquidation((event) => hear('liquidation', event))
}

type Options = { startMs?: number; cadence?: Cadence }

function digest(seed: string, advances: readonly number[], options: Options = {}): string {
  const { startMs = START_MS, ...rest } = options
  const market = createSimulatedMarket({ seed, startMs, ...rest })
  const hash = createHash('sha256')
  listenAll(market, (kind, event) => hash.update(kind + JSON.stringify(event)))
  for (const ms of advances) market.advanceTo(startMs + ms)
  return hash.digest('hex')
}

describe('one seed, one market', () => {
  it('emits the same events byte for byte however time is split', () => {
    const whole = digest('a', [60_000])
    const cut = digest('a', [1, 99, 100, 3_333, 3_333, 3_400, 59_999, 60_000])
    expect(cut).toBe(whole)
  })

  it('does so on a slow cadence, over midnight of UTC', () => {
    const evening = Date.UTC(2026, 4, 5, 23, 55)
    const cadence = { bookEveryMs: 5000, tradesPerSecond: 0.2 }
    const whole = digest('a', [600_000], { startMs: evening, cadence })
    const cut = digest('a', [200_001, 299_900, 300_000, 303_000, 600_000], { startMs: evening, cadence })
    expect(cut).toBe(whole)
  })

  it('emits others for another seed', () => {
    expect(digest('b', [5000])).not.toBe(digest('a', [5000]))
  })

  it('does not depend on who reads in between', () => {
    const read = createSimulatedMarket({ seed: 'a', startMs: START_MS, cadence: SLOW })
    const unread = createSimulatedMarket({ seed: 'a', startMs: START_MS, cadence: SLOW })
    for (let ms = 0; ms <= 120_000; ms += 7_000) {
      read.advanceTo(START_MS + ms)
      for (const coin of COINS) {
        read.candle('binance', coin, START_MS - (START_MS % 60_000) - 3600_000, 60)
        read.oracle.at(coin, Math.floor(START_MS / 1000) - 500)
      }
    }
    read.advanceTo(START_MS + 120_000)
    unread.advanceTo(START_MS + 120_000)
    for (const coin of COINS) expect(read.book('coinbase', coin)).toEqual(unread.book('coinbase', coin))
  })

  it('follows the same hidden path whenever it is started, with growing ids', () => {
    const early = createSimulatedMarket({ seed: 'a', startMs: START_MS, cadence: SLOW })
    early.advanceTo(START_MS + 600_000)
    const late = createSimulatedMarket({ seed: 'a', startMs: START_MS + 600_000, cadence: SLOW })
    for (const coin of COINS) {
      expect(late.oracle.at(coin, START_MS / 1000 + 600)).toEqual(
        early.oracle.at(coin, START_MS / 1000 + 600),
      )
      for (const venue of SIM_VENUES) {
        expect(late.book(venue, coin).updateId).toBeGreaterThan(early.book(venue, coin).updateId)
        expect(late.trades(venue, coin).newest?.id).toBeGreaterThan(early.trades(venue, coin).newest?.id ?? 0)
      }
    }
  })

  it.each([0, 30, 300, 1500, 0.5])('refuses a book cadence of %d ms', (bookEveryMs) => {
    expect(() => createSimulatedMarket({ seed: 'a', startMs: START_MS, cadence: { bookEveryMs } })).toThrow(
      RangeError,
    )
  })
})

describe('the events of a market', () => {
  const market = createSimulatedMarket({ seed: 'told', startMs: START_MS })
  const trades: SimTrade[] = []
  const diffs: SimBookDiff[] = []
  const told: { kind: string; atMs: number; heardMs: number }[] = []
  const pairOf = ({ venue, coin }: { venue: string; coin: string }) => `${venue}/${coin}`
  const books = new Map(
    SIM_VENUES.flatMap((venue) =>
      COINS.map((coin) => {
        const { bids, asks } = market.book(venue, coin)
        return [pairOf({ venue, coin }), { bids: new Map(bids), asks: new Map(asks) }] as const
      }),
    ),
  )
  let crossed = 0
  let thin = 0
  market.onTrade((trade) => trades.push(trade))
  market.onBookDiff((diff) => {
    diffs.push(diff)
    const book = books.get(pairOf(diff))
    if (!book) throw new Error('diff of an unknown pair')
    fold(book.bids, diff.bids)
    fold(book.asks, diff.asks)
    if (Math.max(...book.bids.keys()) >= Math.min(...book.asks.keys())) crossed++
    if (Math.min(book.bids.size, book.asks.size) < 20) thin++
  })
  listenAll(market, (kind, { atMs }) => told.push({ kind, atMs, heardMs: market.nowMs() }))
  market.advanceTo(START_MS + 120_000)

  const groups = <T extends { venue: string; coin: string }>(events: readonly T[]) =>
    Map.groupBy(events, pairOf)

  it('has trades and diffs of all eight pairs', () => {
    expect([...groups(trades).keys()].length).toBe(8)
    expect([...groups(diffs).keys()].length).toBe(8)
  })

  it('never crosses a book, and keeps at least twenty levels a side', () => {
    expect([crossed, thin]).toEqual([0, 0])
    expect(diffs.length).toBeGreaterThan(9000)
  })

  it('adds its diffs up to the book it shows', () => {
    for (const venue of SIM_VENUES)
      for (const coin of COINS) {
        const { bids, asks } = market.book(venue, coin)
        const folded = books.get(pairOf({ venue, coin }))
        expect([...(folded?.bids ?? [])].sort((a, b) => b[0] - a[0])).toEqual(bids)
        expect([...(folded?.asks ?? [])].sort((a, b) => a[0] - b[0])).toEqual(asks)
      }
  })

  it('numbers trades, fills and updates without a gap', () => {
    for (const pair of groups(trades).values()) {
      const [first] = pair
      expect(pair.map(({ id }) => id)).toEqual(pair.map((_, i) => (first?.id ?? 0) + i))
      const fills = pair.flatMap(({ firstTradeId, fillLots }) => fillLots.map((_, i) => firstTradeId + i))
      expect(fills).toEqual(fills.map((_, i) => (first?.firstTradeId ?? 0) + i))
      expect(pair.map(({ lots }) => lots)).toEqual(
        pair.map(({ fillLots }) => fillLots.reduce((a, b) => a + b, 0)),
      )
      if (first?.venue === 'coinbase') expect(fills.length).toBe(pair.length)
    }
    for (const pair of groups(diffs).values()) {
      expect(pair.map((d) => d.lastUpdateId - d.firstUpdateId + 1)).toEqual(
        pair.map((d) => d.bids.length + d.asks.length),
      )
      expect(pair.slice(1).map((d) => d.firstUpdateId - 1)).toEqual(
        pair.slice(0, -1).map((d) => d.lastUpdateId),
      )
    }
  })

  it('has whole positive ticks and lots everywhere', () => {
    const whole = (value: number) => Number.isSafeInteger(value) && value > 0
    expect(trades.every((t) => whole(t.priceTicks) && t.fillLots.every(whole))).toBe(true)
    const levels = diffs.flatMap(({ bids, asks }) => [...bids, ...asks])
    expect(levels.every(([ticks, lots]) => whole(ticks) && (lots === 0 || whole(lots)))).toBe(true)
  })

  it('are in order of time, and none is from the future', () => {
    expect(told.filter(({ atMs, heardMs }) => atMs > heardMs)).toEqual([])
    const times = told.map(({ atMs }) => atMs)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(new Set(told.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(4)
  })
})

function fold(side: Map<number, number>, changes: readonly SimLevel[]): void {
  for (const [ticks, lots] of changes)
    if (lots === 0) side.delete(ticks)
    else side.set(ticks, lots)
}
