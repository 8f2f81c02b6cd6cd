import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { toPrice, toSize } from '../instrument.ts'
import type { SimCandle, SimTrade } from '../sim-events.ts'
import { createSimulatedMarket } from '../simulated-market.ts'
import { CANDLES_KEPT, createCandles } from './candles.ts'

const START_MS = Date.UTC(2026, 4, 6, 11, 0, 20)
const FIRST_MINUTE_MS = Date.UTC(2026, 4, 6, 11, 1)

describe('candles', () => {
  const market = createSimulatedMarket({
    seed: 'candles',
    startMs: START_MS,
    cadence: { bookEveryMs: 500, tradesPerSecond: 2 },
  })
  const trades: SimTrade[] = []
  market.onTrade((trade) => trades.push(trade))
  market.advanceTo(START_MS + 6 * MINUTE_MS)
  const instrument = market.instrument('binance', 'SOL')
  const inMinutes = (fromMs: number, minutes: number) =>
    trades.filter(
      ({ venue, coin, atMs }) =>
        venue === 'binance' && coin === 'SOL' && atMs >= fromMs && atMs < fromMs + minutes * MINUTE_MS,
    )

  it.each([
    [FIRST_MINUTE_MS, 1],
    [FIRST_MINUTE_MS + MINUTE_MS, 1],
    [FIRST_MINUTE_MS, 5],
  ])('from %d over %d minutes are what was traded in them', (openMs, minutes) => {
    const seen = inMinutes(openMs, minutes)
    const candle = market.candle('binance', 'SOL', openMs, minutes)
    const ticks = seen.map(({ priceTicks }) => priceTicks)
    const quote = (list: readonly SimTrade[]) =>
      list.reduce((sum, t) => sum + toPrice(instrument, t.priceTicks) * toSize(instrument, t.lots), 0)
    const bought = seen.filter(({ side }) => side === 'buy')
    expect(seen.length).toBeGreaterThan(10)
    expect(candle).toMatchObject({
      openTicks: ticks[0],
      highTicks: Math.max(...ticks),
      lowTicks: Math.min(...ticks),
      closeTicks: ticks.at(-1),
      lots: seen.reduce((sum, { lots }) => sum + lots, 0),
      takerLots: bought.reduce((sum, { lots }) => sum + lots, 0),
      trades: seen.reduce((sum, { fillLots }) => sum + fillLots.length, 0),
      firstTradeId: seen[0]?.firstTradeId,
    })
    expect(candle.quote).toBeCloseTo(quote(seen), 6)
    expect(candle.takerQuote).toBeCloseTo(quote(bought), 6)
  })

  it('before the start connect to those after it and look alike', () => {
    const past = Array.from({ length: 600 }, (_, i) =>
      market.candle('binance', 'SOL', FIRST_MINUTE_MS - (603 - i) * MINUTE_MS),
    )
    for (const [i, candle] of past.entries()) {
      expect(candle.lowTicks).toBeLessThanOrEqual(Math.min(candle.openTicks, candle.closeTicks))
      expect(candle.highTicks).toBeGreaterThanOrEqual(Math.max(candle.openTicks, candle.closeTicks))
      expect(candle.takerLots).toBeLessThanOrEqual(candle.lots)
      const before = past[i - 1]
      // A second lies between a close and the next open: far less than half a percent, jumps included.
      if (before) expect(Math.abs(candle.openTicks / before.closeTicks - 1)).toBeLessThan(0.005)
    }
    const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length
    const live = Array.from({ length: 5 }, (_, i) =>
      market.candle('binance', 'SOL', FIRST_MINUTE_MS + i * MINUTE_MS),
    )
    const ratio = mean(past.map(({ quote }) => quote)) / mean(live.map(({ quote }) => quote))
    expect(ratio).toBeGreaterThan(0.2)
    expect(ratio).toBeLessThan(5)
  })

  it('of minutes without trades are flat at the last close', () => {
    const quiet = createSimulatedMarket({
      seed: 'quiet',
      startMs: START_MS,
      cadence: { bookEveryMs: 1000, tradesPerSecond: 0.002 },
    })
    quiet.advanceTo(START_MS + 30 * MINUTE_MS)
    const minutes = Array.from({ length: 30 }, (_, i) =>
      quiet.candle('coinbase', 'XRP', FIRST_MINUTE_MS + i * MINUTE_MS),
    )
    const empty = minutes.filter(({ trades: count }) => count === 0)
    expect(empty.length).toBeGreaterThan(20)
    for (const [i, candle] of minutes.entries())
      if (candle.trades === 0 && i > 0) {
        const close = minutes[i - 1]?.closeTicks
        expect([candle.openTicks, candle.highTicks, candle.lowTicks, candle.closeTicks]).toEqual([
          close,
          close,
          close,
          close,
        ])
        expect([candle.lots, candle.firstTradeId, candle.lastTradeId]).toEqual([0, -1, -1])
      }
  })
})

it('keeps two days of candles made from trades, however many synthetic ones are requested', () => {
  const synthesized: number[] = []
  const candles = createCandles({
    tradesFromMs: FIRST_MINUTE_MS,
    synthesize(openMs) {
      synthesized.push(openMs)
      return { ...EMPTY, openMs, closeTicks: 7 }
    },
  })
  const last = CANDLES_KEPT + 50
  for (let i = 0; i <= last; i++) {
    const atMs = FIRST_MINUTE_MS + i * MINUTE_MS + 5
    candles.apply({ ...TRADE, id: i, firstTradeId: i, priceTicks: 1000 + i, atMs }, 1, 1)
    candles.at(FIRST_MINUTE_MS - (1 + (i % 2000)) * MINUTE_MS)
  }
  const before = synthesized.length
  for (let i = 51; i <= last; i++)
    expect(candles.at(FIRST_MINUTE_MS + i * MINUTE_MS)).toMatchObject({ closeTicks: 1000 + i, trades: 1 })
  expect(synthesized.length).toBe(before)
  expect(candles.at(FIRST_MINUTE_MS).closeTicks).toBe(7)
})

const EMPTY: SimCandle = {
  openMs: 0,
  openTicks: 7,
  highTicks: 7,
  lowTicks: 7,
  closeTicks: 7,
  lots: 0,
  takerLots: 0,
  quote: 0,
  takerQuote: 0,
  trades: 0,
  firstTradeId: -1,
  lastTradeId: -1,
}
const TRADE: SimTrade = {
  venue: 'binance',
  coin: 'SOL',
  id: 0,
  firstTradeId: 0,
  fillLots: [1],
  priceTicks: 1,
  lots: 1,
  side: 'buy',
  atMs: 0,
}
