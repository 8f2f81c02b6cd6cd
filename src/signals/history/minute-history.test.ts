import { describe, expect, test } from 'vitest'
import { FIRST_MS, randomCandles, without } from '../../testing/signals/random-candles.ts'
import type { ClosedCandle } from './closed-candle.ts'
import { createMinuteHistory, type MinuteHistory, VOLATILITY_HALF_LIVES_MIN } from './minute-history.ts'

const LOOK_BACK = 240

function fed(candles: readonly ClosedCandle[]): MinuteHistory {
  const history = createMinuteHistory()
  for (const candle of candles) history.apply(candle)
  return history
}

/** Everything a history can be asked; shorter histories tell fewer minutes. */
function readings(history: MinuteHistory): number[] {
  const depth = Math.min(history.count, LOOK_BACK + 1)
  const back = Array.from({ length: depth }, (_, ago) => ago)
  return [
    history.count,
    history.sinceGap,
    history.endMs,
    history.open(),
    ...back.flatMap((ago) => [history.close(ago), history.high(ago), history.low(ago), history.volume(ago)]),
    history.strength(0),
    history.strength(1),
    history.macdHistogram(),
    ...VOLATILITY_HALF_LIVES_MIN.flatMap((_, which) => [
      history.closeVolatility(which),
      history.rangeVolatility(which),
    ]),
  ]
}

/** Mean in which a value weighs (1 − weight) per minute of its age. */
function weighted(values: readonly number[], weight: number): number {
  let [sum, total] = [0, 0]
  values.forEach((value, at) => {
    const share = (1 - weight) ** (values.length - 1 - at)
    sum += share * value
    total += share
  })
  return sum / total
}

describe('against formulas over whole arrays', () => {
  // 700 minutes: the ring of 512 has wrapped.
  const candles = randomCandles({ seed: 'naive', count: 700 })
  const history = fed(candles)
  const newest = candles.length - 1
  const log = (price: number | undefined) => Math.log((price ?? 0) / (candles[0]?.open ?? 1))
  const returns = candles.map(({ close }, at) =>
    Math.log(close / (candles[at - 1]?.close ?? candles[0]?.open ?? 1)),
  )

  test('prices are logarithms from the first open on, as far back as anything looks', () => {
    for (let ago = 0; ago <= LOOK_BACK; ago++) {
      const candle = candles[newest - ago]
      expect(history.close(ago)).toBeCloseTo(log(candle?.close), 12)
      expect(history.high(ago)).toBeCloseTo(log(candle?.high), 12)
      expect(history.low(ago)).toBeCloseTo(log(candle?.low), 12)
      expect(history.volume(ago)).toBe(candle?.volume)
    }
    const all = [new Float64Array(LOOK_BACK + 1), new Float64Array(LOOK_BACK + 1)] as const
    history.readCloses(all[0])
    history.readVolumes(all[1])
    expect([...all[0]]).toEqual(Array.from(all[0], (_, ago) => history.close(ago)))
    expect([...all[1]]).toEqual(Array.from(all[1], (_, ago) => history.volume(ago)))
    expect(history.open()).toBeCloseTo(log(candles[newest]?.open), 12)
    expect([history.count, history.sinceGap, history.endMs]).toEqual([700, 700, FIRST_MS + 700 * 60_000])
  })

  test.each([
    [0, 14],
    [1, 70],
  ] as const)('strength %i is that of %i minutes', (which, minutes) => {
    const mean = (pick: (change: number) => number) => weighted(returns.map(pick), 1 / minutes)
    const gain = mean((change) => Math.max(change, 0))
    const loss = mean((change) => Math.max(-change, 0))
    expect(history.strength(which)).toBeCloseTo((gain - loss) / (gain + loss), 9)
  })

  test('MACD', () => {
    const closes = candles.map(({ close }) => log(close))
    const lines = closes.map((_, at) => {
      const past = closes.slice(0, at + 1)
      return weighted(past, 2 / 13) - weighted(past, 2 / 27)
    })
    expect(history.macdHistogram()).toBeCloseTo((lines.at(-1) ?? 0) - weighted(lines, 2 / 10), 12)
  })

  test.each(VOLATILITY_HALF_LIVES_MIN.map((minutes, which) => [minutes, which] as const))(
    'volatilities of half-life %i',
    (minutes, which) => {
      const weight = 1 - 0.5 ** (1 / minutes)
      const squares = returns.map((change) => change * change)
      const ranges = candles.map(({ high, low }) => Math.log(high / low) ** 2 / (4 * Math.LN2))
      expect(history.closeVolatility(which)).toBeCloseTo(Math.sqrt(weighted(squares, weight)), 12)
      expect(history.rangeVolatility(which)).toBeCloseTo(Math.sqrt(weighted(ranges, weight)), 12)
    },
  )
})

describe('a gap', () => {
  const candles = randomCandles({ seed: 'gap', count: 300 })

  test('is no return: the minute after it starts where the one before it ended', () => {
    // Half the price is lost while nothing was heard.
    const after = candles.slice(200).map((candle) => ({
      ...candle,
      open: candle.open / 2,
      high: candle.high / 2,
      low: candle.low / 2,
      close: candle.close / 2,
    }))
    const history = fed(candles.slice(0, 150))
    const before = history.close(0)
    const [first] = after
    if (!first) throw new Error('no candle after the gap')
    history.apply(first)
    expect(history.open()).toBeCloseTo(before, 12)
    expect(history.close(0) - before).toBeCloseTo(Math.log(first.close / first.open), 12)
    expect([history.count, history.sinceGap]).toEqual([151, 1])
    for (const candle of after.slice(1)) history.apply(candle)
    expect(history.sinceGap).toBe(after.length)
    const usual = fed(candles).closeVolatility(VOLATILITY_HALF_LIVES_MIN.indexOf(1440))
    expect(history.closeVolatility(VOLATILITY_HALF_LIVES_MIN.indexOf(1440)) / usual).toBeCloseTo(1, 1)
  })

  test('leaves what is on both sides of it as it was', () => {
    const whole = fed(candles)
    const holed = fed(without(candles, 150, 200))
    for (let ago = 0; ago < 99; ago++)
      expect(holed.close(ago) - holed.close(ago + 1)).toBeCloseTo(whole.close(ago) - whole.close(ago + 1), 12)
    expect(holed.endMs).toBe(whole.endMs)
  })

  test('the first minute of all is none', () => {
    expect(fed(candles.slice(0, 1)).sinceGap).toBe(1)
  })
})

describe('peek', () => {
  // Peeks begin before the ring is full and go on past its wrap.
  const candles = randomCandles({ seed: 'peek', count: 560 })
  const strange = (openMs: number): ClosedCandle => ({
    openMs,
    open: 7,
    high: 9,
    low: 5,
    close: 6,
    volume: 1e9,
  })

  test('reads as if the minute had closed', () => {
    const history = fed(candles.slice(0, 530))
    const next = candles[530]
    if (!next) throw new Error('no next candle')
    const peeked = history.peek(next, () => readings(history))
    expect(peeked).toEqual(readings(fed(candles.slice(0, 531))))
  })

  test('leaves every later reading what it would have been, nested ones and those that throw too', () => {
    const [peeking, calm] = [createMinuteHistory(), createMinuteHistory()]
    for (const candle of candles) {
      const once = strange(candle.openMs)
      const far = strange(candle.openMs + 3_600_000)
      peeking.peek(once, () => peeking.peek(far, () => peeking.peek(candle, () => readings(peeking))))
      expect(() =>
        peeking.peek(far, () => {
          throw new Error('while peeking')
        }),
      ).toThrow('while peeking')
      peeking.apply(candle)
      calm.apply(candle)
      if (calm.count % 20 === 0 || calm.count > 505) expect(readings(peeking)).toEqual(readings(calm))
    }
    expect(calm.count).toBe(560)
  })
})

test('a market that does not move has neither strength nor volatility', () => {
  const still = Array.from({ length: 40 }, (_, minute) => ({
    openMs: FIRST_MS + minute * 60_000,
    open: 3,
    high: 3,
    low: 3,
    close: 3,
    volume: 0,
  }))
  const history = fed(still)
  expect([history.strength(0), history.strength(1), history.macdHistogram()]).toEqual([0, 0, 0])
  expect([history.closeVolatility(0), history.rangeVolatility(4)]).toEqual([0, 0])
})
