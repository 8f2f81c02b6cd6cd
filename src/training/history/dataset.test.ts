import { describe, expect, test } from 'vitest'
import type { Coin } from '../../core/coin.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'
import { createMinuteHistory } from '../../signals/history/minute-history.ts'
import { FEATURES, fillFeatures } from '../../signals/model/features.ts'
import { fillVolatilityInputs, VOLATILITY_INPUTS } from '../../signals/model/volatility/volatility.ts'
import { randomCandles, without } from '../../testing/signals/random-candles.ts'
import { buildDataset, hasFuture, type Rows } from './dataset.ts'
import type { Stretch } from './history-files.ts'

const stretchOf = (coin: Coin, candles: readonly ClosedCandle[]): Stretch => ({
  coin,
  file: `${coin}.csv`,
  candles,
})
const COUNT = 1_700
const candles = {
  BTC: randomCandles({ seed: 'BTC', count: COUNT }),
  ETH: without(randomCandles({ seed: 'ETH', count: COUNT }), 1_500, 1_510),
  SOL: randomCandles({ seed: 'SOL', count: COUNT }).slice(600),
}
const stretches = [
  stretchOf('BTC', candles.BTC),
  stretchOf('ETH', candles.ETH),
  stretchOf('SOL', candles.SOL),
]

/** What the live engine would have computed at each minute's end: every history as it then was. */
function liveRows(own: readonly ClosedCandle[], others: readonly (readonly ClosedCandle[])[]) {
  const history = createMinuteHistory()
  const followers = others.map(() => createMinuteHistory())
  const next = others.map(() => 0)
  return own.map((candle) => {
    history.apply(candle)
    others.forEach((theirs, at) => {
      for (
        let each = theirs[next[at] ?? 0];
        each && each.openMs <= candle.openMs;
        each = theirs[next[at] ?? 0]
      ) {
        followers[at]?.apply(each)
        next[at] = (next[at] ?? 0) + 1
      }
    })
    const features = new Float64Array(FEATURES.length)
    const inputs = new Float64Array(VOLATILITY_INPUTS)
    fillFeatures(features, history, followers)
    fillVolatilityInputs(inputs, history)
    return { endMs: history.endMs, close: history.close(0), features, inputs }
  })
}

describe('rows', () => {
  const dataset = buildDataset(stretches, () => {})

  test.each([
    ['BTC', 0, [candles.ETH, candles.SOL]],
    ['ETH', 1, [candles.BTC, candles.SOL]],
    ['SOL', 2, [candles.BTC, candles.ETH]],
  ] as const)('of %s are what is computed live for the same minutes', (coin, which, others) => {
    const rows = dataset[which] as Rows
    const live = liveRows(candles[coin], others)
    expect(rows.count).toBe(live.length)
    live.forEach(({ endMs, close, features, inputs }, row) => {
      expect(rows.endMs[row]).toBe(endMs)
      expect(rows.close[row]).toBe(close)
      const held = rows.features.subarray(row * FEATURES.length, (row + 1) * FEATURES.length)
      expect(held).toEqual(Float32Array.from(features))
      const heldInputs = rows.inputs.subarray(row * VOLATILITY_INPUTS, (row + 1) * VOLATILITY_INPUTS)
      expect(heldInputs).toEqual(Float32Array.from(inputs))
    })
  })

  test('are usable with a day of history and an hour without a gap', () => {
    const usable = (rows: Rows | undefined) =>
      [...(rows?.isUsable ?? [])].map((flag, row) => (flag ? row : -1)).filter((row) => row >= 0)
    expect(usable(dataset[0])[0]).toBe(1_439)
    expect(usable(dataset[0])).toHaveLength(COUNT - 1_439)
    // ETH lacks ten minutes after its row 1,499: an hour later it is usable again.
    expect(usable(dataset[1])).toEqual([
      ...Array.from({ length: 61 }, (_, at) => 1_439 + at),
      ...Array.from({ length: COUNT - 10 - 1_560 }, (_, at) => 1_560 + at),
    ])
    expect(usable(dataset[2])).toEqual([])
  })

  test('the future is used only where it follows without a gap', () => {
    const eth = dataset[1] as Rows
    expect(hasFuture(eth, 1_494, 5)).toBe(true)
    expect(hasFuture(eth, 1_495, 5)).toBe(false)
    expect(hasFuture(eth, 1_500, 5)).toBe(true)
    expect(hasFuture(eth, eth.count - 5, 5)).toBe(false)
    expect(hasFuture(eth, eth.count - 6, 5)).toBe(true)
  })
})

test('two stretches of one coin do not lead each other', () => {
  const twice = [stretchOf('BTC', candles.BTC), stretchOf('BTC', candles.BTC)]
  const [first] = buildDataset(twice, () => {})
  const [alone] = buildDataset([stretchOf('BTC', candles.BTC)], () => {})
  expect(first?.features).toEqual(alone?.features)
})

test('progress ends at the number of all minutes', () => {
  const told: (readonly [number, number])[] = []
  buildDataset(stretches, (done, all) => told.push([done, all]))
  const all = candles.BTC.length + candles.ETH.length + candles.SOL.length
  expect(told.at(-1)).toEqual([all, all])
})
