import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  HOSTILE,
  START_MS,
  sizedBookAt,
  someTrades,
  tradeAt,
} from '../../testing/signals/indicator-events.ts'
import type { IndicatorReadings } from '../signal.ts'
import { createIndicators } from './indicators.ts'

const COLD: IndicatorReadings = {
  tickMomentum: undefined,
  bookImbalance: undefined,
  aggressorRatio: undefined,
  rsi: undefined,
  volumeSpike: undefined,
  rateOfChange: undefined,
  macd: undefined,
  bollinger: undefined,
}

/** Ten minutes of buying into a rising market with more bids than asks. */
function createWarm() {
  const indicators = createIndicators()
  for (let at = 0; at <= 600; at++) {
    indicators.trade(tradeAt(at * 1_000, { price: 100 + at, id: at }))
    indicators.book(sizedBookAt(at * 1_000, [3], [1]))
  }
  for (let at = 0; at < 40; at++) indicators.minute({ close: 100 + at, volume: 60 })
  return indicators
}
const WARM_MS = START_MS + 600_000

test('nothing is read before anything has come', () => {
  expect(createIndicators().read(START_MS)).toEqual(COLD)
  expect(Object.keys(createIndicators().whyUnknown(START_MS)).sort()).toEqual(Object.keys(COLD).sort())
  expect(createIndicators().microPrice()).toBeUndefined()
})

test('every event reaches its indicators', () => {
  const { rateOfChange, macd, bollinger, volumeSpike, ...rest } = createWarm().read(WARM_MS)
  expect(rest).toEqual({ tickMomentum: 1, bookImbalance: 0.5, aggressorRatio: 1, rsi: 100 })
  expect(volumeSpike).toBeCloseTo(1, 1)
  expect(rateOfChange).toBeCloseTo((100 * 5) / 134, 9)
  expect(macd).toBeDefined()
  expect(bollinger).toBeGreaterThan(0.9)
  expect(createWarm().whyUnknown(WARM_MS)).toEqual({})
})

test('while trades may be missing their readings are unknown, and known again with the trade that follows', () => {
  const indicators = createWarm()
  const before = indicators.read(WARM_MS)
  indicators.tradesInDoubt()
  const unknown = { tickMomentum: undefined, aggressorRatio: undefined, volumeSpike: undefined }
  expect(indicators.read(WARM_MS)).toEqual({ ...before, ...unknown })
  expect(Object.keys(indicators.whyUnknown(WARM_MS)).sort()).toEqual(Object.keys(unknown).sort())
  indicators.trade(tradeAt(600_000, { price: 701, id: 601 }))
  expect(indicators.read(WARM_MS)).toMatchObject({ tickMomentum: 1, aggressorRatio: 1 })
})

test('after a hole in the ids trades before it no longer count', () => {
  const indicators = createWarm()
  for (let at = 601; at <= 670; at++)
    indicators.trade(tradeAt(at * 1_000, { price: 2_000 - at, id: at + 5, side: 'sell' }))
  expect(indicators.read(START_MS + 620_000)).toMatchObject({ tickMomentum: undefined, rsi: 100 })
  expect(indicators.read(START_MS + 670_000)).toMatchObject({ tickMomentum: -1, aggressorRatio: 0 })
})

test('without a trusted book there is no imbalance and no micro-price, and everything else stays', () => {
  const indicators = createWarm()
  const before = indicators.read(WARM_MS)
  expect(indicators.microPrice()).toMatchObject({ imbalance: 0.5, asOfMs: WARM_MS })
  indicators.bookLost()
  expect(indicators.read(WARM_MS)).toEqual({ ...before, bookImbalance: undefined })
  expect(indicators.microPrice()).toBeUndefined()
})

test('a reading changes nothing', () => {
  const indicators = createWarm()
  const before = indicators.read(WARM_MS)
  for (const nowMs of [WARM_MS + 3_600_000, 0, Number.NaN]) indicators.read(nowMs)
  expect(indicators.read(WARM_MS)).toEqual(before)
})

test('no event can make a reading that is no number, and each that is missing has a reason', () => {
  const number = fc.oneof(fc.constantFrom(...HOSTILE), fc.double())
  const event = fc.oneof(
    fc.record({ price: number, size: number, atMs: number }).map((wild) => ({
      trade: { ...tradeAt(0), ...wild, atMs: START_MS + wild.atMs },
    })),
    fc.record({ bids: fc.array(number), asks: fc.array(number), atMs: number }).map((wild) => ({
      book: sizedBookAt(wild.atMs, wild.bids, wild.asks),
    })),
    fc.record({ minute: fc.record({ close: number, volume: number }) }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), number, (events, nowMs) => {
      const indicators = createWarm()
      for (const each of events) {
        if ('trade' in each) indicators.trade(each.trade)
        else if ('book' in each) indicators.book(each.book)
        else indicators.minute(each.minute)
      }
      for (const atMs of [WARM_MS, START_MS + nowMs]) {
        const readings = Object.entries(indicators.read(atMs))
        for (const [, reading] of readings)
          expect(reading === undefined || Number.isFinite(reading)).toBe(true)
        const unknown = readings.flatMap(([name, reading]) => (reading === undefined ? [name] : []))
        expect(Object.keys(indicators.whyUnknown(atMs)).sort()).toEqual(unknown.sort())
      }
    }),
    { numRuns: 60 },
  )
})

test('the unit of prices does not reach the readings of trades', () => {
  fc.assert(
    fc.property(someTrades, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (trades, factor) => {
      const [plain, scaled] = [createIndicators(), createIndicators()]
      for (const trade of trades) {
        plain.trade(trade)
        scaled.trade({ ...trade, price: trade.price * factor })
      }
      const nowMs = Math.max(...trades.map(({ atMs }) => atMs))
      expect(scaled.read(nowMs)).toEqual(plain.read(nowMs))
    }),
  )
})
