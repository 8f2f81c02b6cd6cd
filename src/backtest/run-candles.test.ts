import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../core/time/time.ts'
import type { ClosedCandle } from '../signals/history/closed-candle.ts'
import { WARM_MINUTES } from '../signals/model/features.ts'
import { FIRST_MS, randomCandles, without } from '../testing/signals/random-candles.ts'
import { sampleModel } from '../testing/signals/sample-model.ts'
import { lineOf } from './prediction-line.ts'
import { runCandles } from './run-candles.ts'

const model = sampleModel()
const candles = randomCandles({ seed: 'own', count: 1_700 })
const others = ['x', 'y'].map((seed) => randomCandles({ seed, count: 1_700 }))
const run = (
  own: readonly ClosedCandle[],
  context: readonly (readonly ClosedCandle[])[] = [],
  fromMs?: number,
) => [...runCandles({ model, candles: own, context, ...(fromMs === undefined ? {} : { fromMs }) })]
const minuteOf = (asOfS: number) => (asOfS * 1000 - FIRST_MS) / 60_000

describe('coverage', () => {
  test('is every minute of every window once it is warm', () => {
    const all = run(candles)
    expect(all.map(({ asOfS }) => minuteOf(asOfS))).toEqual(
      Array.from({ length: candles.length - WARM_MINUTES + 1 }, (_, at) => WARM_MINUTES + at),
    )
    for (const { windowStartS, asOfS } of all) {
      expect(windowStartS % 300).toBe(0)
      expect([0, 60, 120, 180, 240]).toContain(asOfS - windowStartS)
    }
  })

  test('after a gap goes on at the next window whose opening minute is there, abstaining for an hour', () => {
    const all = run(without(candles, 1_002, 1_004))
    const asOf = all.map(({ asOfS }) => minuteOf(asOfS))
    // Minutes 1,003 and 1,004 did not close: the window of 1,000 has no prediction after 1,002.
    expect(asOf.filter((minute) => minute > 998 && minute < 1_012)).toEqual([
      999, 1_000, 1_001, 1_002, 1_005, 1_006, 1_007, 1_008, 1_009, 1_010, 1_011,
    ])
    const after = all.filter(({ asOfS }) => minuteOf(asOfS) > 1_004)
    expect(after.slice(0, 60).every(({ abstain }) => abstain)).toBe(true)
    expect(after.slice(60).some(({ abstain }) => !abstain)).toBe(true)
  })

  test('a window whose opening minute is missing has none', () => {
    const asOf = run(without(candles, 999, 1_000)).map(({ asOfS }) => minuteOf(asOfS))
    expect(asOf.filter((minute) => minute > 998 && minute < 1_006)).toEqual([999, 1_005])
  })

  test('starts at the requested moment, after learning from the minutes before', () => {
    const fromMs = FIRST_MS + 1_500 * 60_000
    const later = run(candles, others, fromMs)
    expect(later).toEqual(run(candles, others).filter(({ asOfS }) => asOfS * 1000 >= fromMs))
    expect(later.length).toBe(201)
  })
})

describe('context', () => {
  test('changes predictions, and does not when it is from another time', () => {
    expect(run(candles, others)).not.toEqual(run(candles))
    const elsewhere = others.map((each) =>
      each.map((candle) => ({ ...candle, openMs: candle.openMs + 30 * DAY_MS })),
    )
    const earlier = others.map((each) =>
      each.map((candle) => ({ ...candle, openMs: candle.openMs - 30 * DAY_MS })),
    )
    expect(run(candles, elsewhere)).toEqual(run(candles))
    expect(run(candles, earlier)).toEqual(run(candles))
    expect(run(candles, [[]])).toEqual(run(candles))
  })

  test('a coin that starts in the middle counts from its second hour on', () => {
    const late = run(candles, [(others[0] as ClosedCandle[]).slice(1_200)])
    const alone = run(candles)
    const first = late.findIndex(({ probabilityUp }, at) => probabilityUp !== alone[at]?.probabilityUp)
    expect(minuteOf(late[first]?.asOfS ?? 0)).toBe(1_261)
  })
})

test('the same input gives the same bytes', () => {
  const bytes = () =>
    run(candles, others)
      .map((each) => lineOf('ETHUSDT', each))
      .join('')
  expect(bytes()).toBe(bytes())
})
