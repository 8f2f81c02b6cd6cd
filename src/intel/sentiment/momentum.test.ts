import { describe, expect, it } from 'vitest'
import type { Candle } from '../../market/candles.ts'
import { MOMENTUM_MINUTES, momentumOf } from './momentum.ts'

const candleAt = (close: number, minute: number): Candle => ({
  openMs: minute * 60_000,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
  takerBuyVolume: 0.5,
  trades: 1,
  complete: true,
  isFinal: true,
  isLost: false,
})
/** Log prices by minute as candles, oldest first. */
const minutesOf = (count: number, logPrice: (minute: number) => number): Candle[] =>
  Array.from({ length: count }, (_, minute) => candleAt(Math.exp(logPrice(minute)), minute))
/** Up and down by `size` every five minutes: a volatility of `size` for five minutes, and no move. */
const zigzag = (size: number) => (minute: number) => (Math.floor(minute / 5) % 2) * size

describe('momentum', () => {
  it('is the move of each span over its volatility', () => {
    // Every five minutes +2 or -1 units: their root mean square is sqrt(2.5), their mean 0.5.
    const unit = 0.001
    const price = (minute: number) => {
      const fives = Math.floor(minute / 5)
      return unit * (Math.ceil(fives / 2) * 2 - Math.floor(fives / 2))
    }
    const momentum = momentumOf(minutesOf(MOMENTUM_MINUTES, price))
    const perMinute = (unit * Math.sqrt(2.5)) / Math.sqrt(5)
    const deviations = [60, 240, 1440].map(
      (count) => (0.5 * unit * (count / 5)) / (perMinute * Math.sqrt(count)),
    )
    expect(momentum?.spans.map(({ name }) => name)).toEqual(['1h', '4h', '24h'])
    momentum?.spans.forEach((span, i) => {
      expect(span.deviations).toBeCloseTo(deviations[i] ?? Number.NaN, 6)
    })
    const [hour = 0, four = 0, day = 0] = deviations
    expect(momentum?.deviations).toBeCloseTo(0.25 * hour + 0.25 * four + 0.5 * day, 6)
    expect(momentum?.score).toBeCloseTo(Math.tanh(momentum?.deviations ?? 0), 12)
    expect(momentum?.spans[2]?.changePercent).toBeCloseTo((Math.exp(144 * unit) - 1) * 100, 6)
  })

  it('does not depend on the unit of the price, and turns its sign with it', () => {
    const price = (minute: number) => zigzag(0.002)(minute) + minute * 1e-6
    const one = momentumOf(minutesOf(400, price))
    const other = momentumOf(minutesOf(400, (minute) => price(minute) + 5))
    const down = momentumOf(minutesOf(400, (minute) => -price(minute)))
    expect(other?.score).toBeCloseTo(one?.score ?? Number.NaN, 9)
    expect(down?.score).toBeCloseTo(-(one?.score ?? Number.NaN), 9)
  })

  it('leaves out spans that the history is too short for, and spreads their weight', () => {
    const price = (minute: number) => zigzag(0.002)(minute) + minute * 1e-5
    expect(momentumOf(minutesOf(241, price))?.spans.map(({ name }) => name)).toEqual(['1h', '4h'])
    const short = momentumOf(minutesOf(240, price))
    expect(short?.spans.map(({ name }) => name)).toEqual(['1h'])
    expect(short?.deviations).toBe(short?.spans[0]?.deviations)
  })

  it('is unknown below two hours, without any move, and without candles', () => {
    expect(momentumOf(minutesOf(120, zigzag(0.002)))).toBeUndefined()
    expect(momentumOf(minutesOf(121, zigzag(0.002)))).toBeDefined()
    expect(momentumOf(minutesOf(1_441, () => 3))).toBeUndefined()
    expect(momentumOf([])).toBeUndefined()
  })

  it('starts no span at a minute that is lost', () => {
    const minutes = minutesOf(300, zigzag(0.002))
    minutes[minutes.length - 61] = { ...candleAt(1, 0), isLost: true }
    expect(momentumOf(minutes)?.spans.map(({ name }) => name)).toEqual(['4h'])
  })

  it('stays within its bounds after a crash', () => {
    const score = momentumOf(
      minutesOf(1_441, (minute) => (minute > 1_400 ? -5 : zigzag(1e-4)(minute))),
    )?.score
    expect(score).toBeLessThan(0)
    expect(score).toBeGreaterThanOrEqual(-1)
  })
})
