import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lackOf } from '../../testing/missing.ts'
import { findHistory, HOSTILE } from '../../testing/signals/indicator-events.ts'
import { createMinuteIndicators, type MinuteReadings } from './minute-indicators.ts'

const NAMES = ['rsi', 'macd', 'bollinger', 'rateOfChange'] as const

/** Closes of a walk; about a third of the minutes stand still. */
const someCloses = fc
  .array(fc.oneof(fc.constant(0), fc.double({ min: 1e-4, max: 1e-2, noNaN: true }), fc.constant(-0.003)), {
    minLength: 1,
    maxLength: 90,
  })
  .map((moves) => {
    let log = 0
    return moves.map((move, at) => {
      log += at % 3 === 0 ? -move : move
      return 100 * Math.exp(log)
    })
  })

function readingsOf(closes: readonly number[]): MinuteReadings[] {
  const indicators = createMinuteIndicators()
  return closes.map((close) => {
    indicators.close(close)
    return indicators.read()
  })
}

describe('against formulas of our own over whole arrays', () => {
  test('on random walks', () => {
    fc.assert(fc.property(someCloses, (closes) => void expectNaive(closes)))
  })

  test.for([
    'BTCUSDT_1m_spot_20240101_20240121',
    'ETHUSDT_1m_spot_20240501_20240604',
    'SOLUSDT_1m_spot_20250101_20250204',
    'XRPUSDT_1m_spot_20230101_20230128',
  ])('on the real minutes of %s', (name, { skip }) => {
    const rows = findHistory(`klines/${name}.csv.gz`)
    if (!rows) return skip(lackOf('recordedMarket'))
    expect(rows.length).toBeGreaterThan(10_000)
    expectNaive(rows.slice(0, 10_000).map(([, , , , close]) => Number(close)))
  })
})

describe('peeks', () => {
  test('show what a close at that price would give, and leave no trace', () => {
    const price = fc.double({ min: 50, max: 200, noNaN: true })
    const minute = fc.record({ peeks: fc.array(price, { maxLength: 4 }), close: price })
    fc.assert(
      fc.property(fc.array(minute, { minLength: 1, maxLength: 60 }), (minutes) => {
        const plain = readingsOf(minutes.map(({ close }) => close))
        const peeked = createMinuteIndicators()
        for (const [at, { peeks, close }] of minutes.entries()) {
          const before = peeked.read()
          for (const peek of peeks) peeked.peek(peek)
          expect(peeked.peek(close)).toEqual(plain[at])
          for (const peek of peeks) peeked.peek(peek)
          expect(peeked.read()).toEqual(before)
          peeked.close(close)
          expect(peeked.read()).toEqual(plain[at])
        }
      }),
    )
  })

  test('on a flat market do not make it look moved', () => {
    const indicators = createMinuteIndicators()
    for (let at = 0; at < 20; at++) {
      indicators.peek(90)
      indicators.close(100)
    }
    expect(indicators.read().rsi).toBe(50)
    expect(indicators.peek(90).rsi).toBe(0)
    expect(indicators.peek(110).rsi).toBe(100)
    expect(indicators.peek(100).rsi).toBe(50)
  })
})

test('each is warm after its own number of closes', () => {
  const readings = readingsOf(Array.from({ length: 40 }, (_, at) => 100 + Math.sin(at)))
  const warmAt = NAMES.map((name) => 1 + readings.findIndex((reading) => reading[name] !== undefined))
  expect(warmAt).toEqual([15, 34, 20, 6])
})

test('only rises, only falls and no moves at all', () => {
  const rising = readingsOf(Array.from({ length: 40 }, (_, at) => 100 + at)).at(-1)
  expect(rising?.rsi).toBe(100)
  expect(rising?.rateOfChange).toBeCloseTo((100 * 5) / 134, 12)
  const falling = readingsOf(Array.from({ length: 40 }, (_, at) => 140 - at)).at(-1)
  expect(falling?.rsi).toBe(0)
  expect(falling?.bollinger).toBeLessThan(0.1)
  // 0.1 has no exact sum: the bands are rounding apart, not a width.
  const flat = readingsOf(new Array(40).fill(0.1)).at(-1)
  expect(flat).toMatchObject({ rsi: 50, bollinger: 0.5, rateOfChange: 0 })
  expect(flat?.macd).toBeCloseTo(0, 9)
})

test('what cannot be a price is passed over', () => {
  const closes = Array.from({ length: 40 }, (_, at) => 100 + Math.sin(at))
  const indicators = createMinuteIndicators()
  for (const close of closes) {
    for (const bad of HOSTILE) {
      indicators.close(bad)
      expect(indicators.peek(bad)).toEqual(indicators.read())
    }
    indicators.close(close)
  }
  expect(indicators.read()).toEqual(readingsOf(closes).at(-1))
})

test('the unit of prices does not matter', () => {
  fc.assert(
    fc.property(someCloses, fc.double({ min: 1e-4, max: 1e4, noNaN: true }), (closes, factor) => {
      const plain = readingsOf(closes).at(-1)
      const scaled = readingsOf(closes.map((close) => close * factor)).at(-1)
      for (const name of NAMES) expect(isNear(scaled?.[name], plain?.[name], 1e-6), name).toBe(true)
    }),
  )
})

function expectNaive(closes: readonly number[]): void {
  const macd = naiveMacd(closes)
  const rsi = naiveRsi(closes)
  const wrong = readingsOf(closes).flatMap((reading, at) => {
    const expected: MinuteReadings = {
      rsi: rsi[at],
      macd: macd[at],
      bollinger: naiveBollinger(closes, at),
      rateOfChange: naiveRateOfChange(closes, at),
    }
    return NAMES.every((name) => isNear(reading[name], expected[name], 1e-9))
      ? []
      : [{ at, reading, expected }]
  })
  expect(wrong).toEqual([])
}

function isNear(actual: number | undefined, expected: number | undefined, within: number): boolean {
  if (actual === undefined || expected === undefined) return actual === expected
  return Math.abs(actual - expected) < within
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Wilder: the first averages are plain ones of 14 changes, each later one moves by a fourteenth. */
function naiveRsi(closes: readonly number[]): (number | undefined)[] {
  const changes = closes.map((close, at) => close - (closes[at - 1] ?? close))
  let [gain, loss] = [0, 0]
  return changes.map((change, at) => {
    if (at < 14) return undefined
    const first = changes.slice(1, 15)
    if (at === 14) {
      gain = mean(first.map((each) => Math.max(each, 0)))
      loss = mean(first.map((each) => Math.max(-each, 0)))
    } else {
      gain = (13 * gain + Math.max(change, 0)) / 14
      loss = (13 * loss + Math.max(-change, 0)) / 14
    }
    return gain + loss === 0 ? 50 : (100 * gain) / (gain + loss)
  })
}

/** Starts at the first value. */
function naiveEma(values: readonly number[], length: number): number[] {
  let ema = values[0] ?? 0
  return values.map((value) => {
    ema = (2 * value + (length - 1) * ema) / (length + 1)
    return ema
  })
}

function naiveMacd(closes: readonly number[]): (number | undefined)[] {
  const slow = naiveEma(closes, 26)
  const lines = naiveEma(closes, 12).map((fast, at) => fast - (slow[at] ?? 0))
  const signals = naiveEma(lines.slice(25), 9)
  return closes.map((close, at) =>
    at < 33 ? undefined : (((lines[at] ?? 0) - (signals[at - 25] ?? 0)) / close) * 10_000,
  )
}

function naiveBollinger(closes: readonly number[], at: number): number | undefined {
  if (at < 19) return undefined
  const last = closes.slice(at - 19, at + 1)
  if (last.every((close) => close === last[0])) return 0.5
  const middle = mean(last)
  const deviation = Math.sqrt(mean(last.map((close) => (close - middle) ** 2)))
  return ((closes[at] ?? 0) - middle + 2 * deviation) / (4 * deviation)
}

function naiveRateOfChange(closes: readonly number[], at: number): number | undefined {
  const before = closes[at - 5]
  return before === undefined ? undefined : ((closes[at] ?? 0) / before - 1) * 100
}

test('a market that has stood still for long reads as one that never moved, however it moved before', () => {
  const indicators = createMinuteIndicators()
  for (let at = 0; at < 40; at++) indicators.close(100 + at)
  for (let at = 0; at < 900; at++) indicators.close(139)
  expect(indicators.read()).toMatchObject({ rsi: 100, bollinger: 0.5, rateOfChange: 0 })
  for (let at = 0; at < 20_000; at++) indicators.close(139)
  expect(indicators.read()).toMatchObject({ rsi: 50, bollinger: 0.5, rateOfChange: 0 })
  expect(indicators.read().macd).toBeCloseTo(0, 20)
  indicators.close(138)
  expect(indicators.read().rsi).toBe(0)
})
