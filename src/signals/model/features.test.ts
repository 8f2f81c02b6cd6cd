import { describe, expect, test } from 'vitest'
import { FIRST_MS, randomCandles, without } from '../../testing/signals/random-candles.ts'
import type { ClosedCandle } from '../history/closed-candle.ts'
import {
  createMinuteHistory,
  type MinuteHistory,
  VOLATILITY_HALF_LIVES_MIN,
} from '../history/minute-history.ts'
import { FEATURES, fillFeatures, QUIET } from './features.ts'

type Name = (typeof FEATURES)[number]
const HOUR = VOLATILITY_HALF_LIVES_MIN.indexOf(60)

function fed(candles: readonly ClosedCandle[]): MinuteHistory {
  const history = createMinuteHistory()
  for (const candle of candles) history.apply(candle)
  return history
}

function featuresOf(
  own: readonly ClosedCandle[],
  others: readonly (readonly ClosedCandle[])[] = [],
): Record<Name, number> {
  const out = new Float64Array(FEATURES.length).fill(Number.NaN)
  fillFeatures(out, fed(own), others.map(fed))
  return Object.fromEntries(FEATURES.map((name, at) => [name, out[at]])) as Record<Name, number>
}

const squash = (value: number) => 2 * Math.tanh(value / 2)

/** The same from whole arrays of raw prices; volatility, strength and MACD are the history's, tested there. */
function naive(
  candles: readonly ClosedCandle[],
  others: readonly (readonly ClosedCandle[])[],
): Record<Name, number> {
  const history = fed(candles)
  const closes = candles.map(({ close }) => Math.log(close))
  const newest = candles.at(-1) as ClosedCandle
  const unit = history.closeVolatility(HOUR)
  const ago = (minutes: number) => closes.at(-1 - minutes) ?? Number.NaN
  const moved = (all: readonly ClosedCandle[], minutes: number) => {
    const change = Math.log((all.at(-1)?.close ?? 0) / (all.at(-1 - minutes)?.close ?? 0))
    return change / (fed(all).closeVolatility(HOUR) * Math.sqrt(minutes))
  }
  const bollinger = (minutes: number) => {
    const last = closes.slice(-minutes)
    const mean = last.reduce((sum, value) => sum + value, 0) / minutes
    const variance = last.reduce((sum, value) => sum + (value - mean) ** 2, 0) / minutes
    return (ago(0) - mean) / Math.sqrt(variance)
  }
  const direction = (minutes: number) => {
    const signs = Array.from({ length: minutes }, (_, at): number => Math.sign(ago(at) - ago(at + 1)))
    return signs.reduce((sum, sign) => sum + sign, 0) / minutes
  }
  const five = candles.slice(-5)
  const high = Math.log(Math.max(...five.map((candle) => candle.high)))
  const low = Math.log(Math.min(...five.map((candle) => candle.low)))
  const usual = candles.slice(-240).reduce((sum, { volume }) => sum + volume, 0) / 240
  const spike = Math.max(-5, Math.min(5, Math.log(newest.volume / usual)))
  const upper = Math.log(newest.high / Math.max(newest.open, newest.close))
  const lower = Math.log(Math.min(newest.open, newest.close) / newest.low)
  const lead = (minutes: number) => {
    const theirs = others.map((other) => moved(other, minutes))
    return theirs.reduce((sum, each) => sum + each, 0) / theirs.length - moved(candles, minutes)
  }
  const still = Array.from({ length: 60 }, (_, at): number => (ago(at) === ago(at + 1) ? 1 : 0))
  return {
    return_1: squash(moved(candles, 1)),
    return_2: squash(moved(candles, 2)),
    return_5: squash(moved(candles, 5)),
    return_15: squash(moved(candles, 15)),
    return_60: squash(moved(candles, 60)),
    return_240: squash(moved(candles, 240)),
    strength_14: squash(history.strength(0)),
    strength_70: squash(history.strength(1)),
    bollinger_20: squash(bollinger(20)),
    bollinger_100: squash(bollinger(100)),
    range_position_5: squash((ago(0) - low) / (high - low) - 0.5),
    tick_direction_5: squash(direction(5)),
    tick_direction_15: squash(direction(15)),
    body: squash(Math.log(newest.close / newest.open) / unit),
    wicks: squash((upper - lower) / unit),
    signed_volume_spike: squash(Math.sign(ago(0) - ago(1)) * spike),
    macd_histogram: squash(history.macdHistogram() / unit),
    lead_1: squash(lead(1)),
    lead_2: squash(lead(2)),
    lead_5: squash(lead(5)),
    quiet: Math.min(0.6, still.reduce((sum, each) => sum + each, 0) / 60),
  }
}

const coins = ['one', 'two', 'three', 'four'].map((seed, at) =>
  // Ticks so large that some minutes stand still.
  randomCandles({ seed, count: 1_000, price: 10 ** at, tick: 10 ** at * 2 ** -12 }),
)
const upTo = (count: number) =>
  coins.map((candles) => candles.slice(0, count)) as [ClosedCandle[], ...ClosedCandle[][]]

describe('each against its formula over raw prices', () => {
  test.each([241, 512, 513, 777, 1_000])('after %i minutes', (count) => {
    const [own, ...others] = upTo(count)
    const found = featuresOf(own, others)
    const expected = naive(own, others)
    for (const name of FEATURES) expect(found[name], name).toBeCloseTo(expected[name], 7)
  })

  test('the share of quiet minutes varies and comes last', () => {
    const shares = [300, 500, 700, 900].map((count) => featuresOf(upTo(count)[0]).quiet)
    expect(new Set(shares).size).toBeGreaterThan(1)
    expect(FEATURES[QUIET]).toBe('quiet')
  })
})

/** One over each price: rises become falls, wicks change sides. */
function mirrored(candles: readonly ClosedCandle[]): ClosedCandle[] {
  return candles.map(({ open, high, low, close, ...rest }) => ({
    ...rest,
    open: 1 / open,
    high: 1 / low,
    low: 1 / high,
    close: 1 / close,
  }))
}

test('a falling market mirrors a rising one in every feature but the quiet share', () => {
  const largest = new Map<Name, number>()
  for (const count of [800, 850, 900, 950, 1_000]) {
    const [own, ...others] = upTo(count)
    const here = featuresOf(own, others)
    const there = featuresOf(mirrored(own), others.map(mirrored))
    expect(there.quiet).toBeCloseTo(here.quiet, 2)
    for (const name of FEATURES) {
      if (name !== 'quiet') expect(there[name], name).toBeCloseTo(-here[name], 7)
      largest.set(name, Math.max(largest.get(name) ?? 0, Math.abs(here[name])))
    }
  }
  // None of them was 0 all along.
  for (const name of FEATURES) expect(largest.get(name), name).toBeGreaterThan(0.01)
})

test('neither the unit of prices nor that of volumes matters', () => {
  const [own, ...others] = upTo(900)
  // Powers of two scale without rounding, so that equal closes stay equal.
  const scaled = (candles: readonly ClosedCandle[]) =>
    candles.map(({ open, high, low, close, volume, openMs }) => ({
      openMs,
      open: open * 1024,
      high: high * 1024,
      low: low * 1024,
      close: close * 1024,
      volume: volume * 3_000,
    }))
  const here = featuresOf(own, others)
  const there = featuresOf(scaled(own), others.map(scaled))
  for (const name of FEATURES) expect(there[name], name).toBeCloseTo(here[name], 7)
})

describe('leads', () => {
  const leadsOf = (own: readonly ClosedCandle[], others: readonly (readonly ClosedCandle[])[]) => {
    const { lead_1, lead_2, lead_5 } = featuresOf(own, others)
    return [lead_1, lead_2, lead_5]
  }
  const [own, second, third] = upTo(800) as [ClosedCandle[], ClosedCandle[], ClosedCandle[]]

  test('are 0 without other coins', () => {
    expect(leadsOf(own, [])).toEqual([0, 0, 0])
  })

  test('leave out a coin whose newest minute is another, behind or ahead', () => {
    expect(leadsOf(own, [second.slice(0, -1)])).toEqual([0, 0, 0])
    expect(leadsOf(own.slice(0, -1), [second])).toEqual([0, 0, 0])
    expect(leadsOf(own, [second.slice(0, -1), third])).toEqual(leadsOf(own, [third]))
  })

  test('leave out a coin with an hour of history or less', () => {
    expect(leadsOf(own, [second.slice(-60)])).toEqual([0, 0, 0])
    expect(leadsOf(own, [second.slice(-61)])).not.toEqual([0, 0, 0])
  })

  test('are how much further others moved than this one', () => {
    const still = own.map((candle) => ({ ...candle, open: 5, high: 5, low: 5, close: 5 }))
    const [rising] = [
      second.map((candle, at) =>
        at === 799 ? { ...candle, close: candle.open * 1.01, high: candle.open * 1.02 } : candle,
      ),
    ]
    expect(leadsOf(still, [rising])[0]).toBeGreaterThan(1.5)
  })
})

test('nothing but zeros and a capped quiet share where nothing ever moves', () => {
  const still = Array.from({ length: 800 }, (_, minute) => ({
    openMs: FIRST_MS + minute * 60_000,
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    volume: 0,
  }))
  const found = featuresOf(still, [still])
  for (const name of FEATURES) expect(found[name] === 0, name).toBe(name !== 'quiet')
  expect(found.quiet).toBe(0.6)
})

test('stay within their bounds after a crash, a gap and a minute of enormous volume', () => {
  const crash = coins[0]?.map((candle, at) =>
    at === 899 ? { ...candle, low: candle.low / 3, close: candle.close / 3, volume: 1e12 } : candle,
  ) as ClosedCandle[]
  const found = featuresOf(without(crash.slice(0, 900), 400, 600), [
    coins[1]?.slice(0, 900) as ClosedCandle[],
  ])
  for (const name of FEATURES) expect(Math.abs(found[name]), name).toBeLessThanOrEqual(2)
  expect(found.return_1).toBeLessThan(-1.9)
})
