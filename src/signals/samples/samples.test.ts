import { expect, test } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { createEngineWorld } from '../../testing/signals/engine-world.ts'
import { FIRST_MS } from '../../testing/signals/random-candles.ts'
import { blankModel } from '../../testing/signals/sample-model.ts'
import { createSampledWorld } from '../../testing/signals/sampled-world.ts'
import { fieldOf, type MinuteSample, SAMPLE_FIELDS, type SampleField } from './minute-sample.ts'

const WARM = 730
const endOf = (minute: number) => FIRST_MS + (WARM + minute) * MINUTE_MS
const lived = (minutes: number) => {
  const world = createSampledWorld({ model: blankModel(), warm: WARM, count: WARM + minutes })
  for (let minute = 1; minute <= minutes; minute++) world.minute(endOf(minute))
  return world
}
const read = (sample: MinuteSample | undefined, name: SampleField) => sample && fieldOf(sample, name)
const unknown = (sample: MinuteSample | undefined) =>
  SAMPLE_FIELDS.filter((name) => Number.isNaN(read(sample, name)))

test('everything but what has no source is known of a minute that was lived through', () => {
  const { samples, candles, market } = lived(3)
  const sample = samples.at('BTC', endOf(3))
  expect(unknown(sample)).toEqual([
    'funding_bps',
    'funding_age_ms',
    'oracle_twap',
    'oracle_twap_age_ms',
    'oracle_spot',
    'oracle_spot_age_ms',
  ])
  expect(read(sample, 'late_ms')).toBe(0)
  expect(read(sample, 'binance_book_age_ms')).toBe(100)
  expect(read(sample, 'coinbase_mid')).toBeCloseTo(candles.BTC[WARM + 2]?.close ?? 0, 6)
  expect([read(sample, 'coinbase_buy'), read(sample, 'coinbase_sell')]).toEqual([1, 0])
  const [candle] = market.candles('binance', 'BTC', 1)
  expect(read(sample, 'binance_buy')).toBeCloseTo(candle?.takerBuyVolume ?? 0, 4)
  // 733 minutes: three into the window.
  expect(read(sample, 'window_left_s')).toBe(120)
  expect(samples.at('BTC', endOf(3))).toBe(sample)
})

test('the imbalance counts the best levels of each side, and is unknown beyond what the book shows', () => {
  const world = createEngineWorld(endOf(0), blankModel())
  world.clock.advanceTo(endOf(1) - 50)
  const bids = [3, 1, 1, 1, 2].map((size, at) => [100 - at * 0.5, size] as const)
  const asks = [1, 1, 0.5, 0.5, 1].map((size, at) => [100.5 + at * 0.5, size] as const)
  world.sink.book({ venue: 'binance', coin: 'SOL', bids, asks, atMs: endOf(1) - 50 })
  world.clock.advanceTo(endOf(1))
  const sample = world.samples.at('SOL', endOf(1))
  expect(read(sample, 'binance_imbalance_1')).toBe(0.5)
  expect(read(sample, 'binance_imbalance_5')).toBe(0.333)
  expect(read(sample, 'binance_imbalance_10')).toBeNaN()
  expect(read(sample, 'binance_mid')).toBe(100.25)
  expect(read(sample, 'binance_reach_bps')).toBeCloseTo(224.439, 3)
  expect(read(sample, 'coinbase_mid')).toBeNaN()
  world.sink.bookLost({ venue: 'binance', coin: 'SOL', fault: 'stalled', atMs: endOf(2) - 9 })
  world.clock.advanceTo(endOf(2))
  expect(read(world.samples.at('SOL', endOf(2)), 'binance_mid')).toBeNaN()
})

test('where nobody looked there is no sample, and the running minute is seen as it is now', () => {
  const world = lived(1)
  expect(COINS.map((coin) => world.samples.at(coin, endOf(-1)))).toEqual(COINS.map(() => undefined))
  expect(world.samples.at('BTC', endOf(4))).toBeUndefined()
  world.clock.advanceTo(endOf(5) - 3_000)
  const running = world.samples.at('ETH', endOf(5))
  expect(read(running, 'late_ms')).toBe(-3_000)
  // The market of a window that has not opened is not the one that is open now.
  expect(read(running, 'up_bid')).toBeNaN()
  world.clock.advanceTo(endOf(5) + 1_000)
  const closed = world.samples.at('ETH', endOf(5))
  expect(read(closed, 'late_ms')).toBe(0)
  expect(read(closed, 'up_bid')).toBeGreaterThan(0)
})
