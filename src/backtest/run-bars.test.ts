import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../core/time.ts'
import type { Bar } from '../signals/history/bar.ts'
import { WARM_MINUTES } from '../signals/model/features.ts'
import { FIRST_MS, randomBars, without } from '../testing/signals/random-bars.ts'
import { sampleModel } from '../testing/signals/sample-model.ts'
import { lineOf } from './prediction-line.ts'
import { runBars } from './run-bars.ts'

const model = sampleModel()
const bars = randomBars({ seed: 'own', count: 1_700 })
const others = ['x', 'y'].map((seed) => randomBars({ seed, count: 1_700 }))
const run = (own: readonly Bar[], context: readonly (readonly Bar[])[] = [], fromMs?: number) => [
  ...runBars({ model, bars: own, context, ...(fromMs === undefined ? {} : { fromMs }) }),
]
const minuteOf = (asOfS: number) => (asOfS * 1000 - FIRST_MS) / 60_000

describe('coverage', () => {
  test('is every minute of every window once it is warm', () => {
    const all = run(bars)
    expect(all.map(({ asOfS }) => minuteOf(asOfS))).toEqual(
      Array.from({ length: bars.length - WARM_MINUTES + 1 }, (_, at) => WARM_MINUTES + at),
    )
    for (const { windowStartS, asOfS } of all) {
      expect(windowStartS % 300).toBe(0)
      expect([0, 60, 120, 180, 240]).toContain(asOfS - windowStartS)
    }
  })

  test('after a gap goes on at the next window whose opening minute is there, abstaining for an hour', () => {
    const all = run(without(bars, 1_002, 1_004))
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
    const asOf = run(without(bars, 999, 1_000)).map(({ asOfS }) => minuteOf(asOfS))
    expect(asOf.filter((minute) => minute > 998 && minute < 1_006)).toEqual([999, 1_005])
  })

  test('starts at the moment asked for, having learnt from what is before', () => {
    const fromMs = FIRST_MS + 1_500 * 60_000
    const later = run(bars, others, fromMs)
    expect(later).toEqual(run(bars, others).filter(({ asOfS }) => asOfS * 1000 >= fromMs))
    expect(later.length).toBe(201)
  })
})

describe('context', () => {
  test('changes what is said, and says nothing when it is of another time', () => {
    expect(run(bars, others)).not.toEqual(run(bars))
    const elsewhere = others.map((each) => each.map((bar) => ({ ...bar, openMs: bar.openMs + 30 * DAY_MS })))
    const earlier = others.map((each) => each.map((bar) => ({ ...bar, openMs: bar.openMs - 30 * DAY_MS })))
    expect(run(bars, elsewhere)).toEqual(run(bars))
    expect(run(bars, earlier)).toEqual(run(bars))
    expect(run(bars, [[]])).toEqual(run(bars))
  })

  test('a coin that starts in the middle counts from its second hour on', () => {
    const late = run(bars, [(others[0] as Bar[]).slice(1_200)])
    const alone = run(bars)
    const first = late.findIndex(({ probabilityUp }, at) => probabilityUp !== alone[at]?.probabilityUp)
    expect(minuteOf(late[first]?.asOfS ?? 0)).toBe(1_261)
  })
})

test('the same input gives the same bytes', () => {
  const bytes = () =>
    run(bars, others)
      .map((each) => lineOf('ETHUSDT', each))
      .join('')
  expect(bytes()).toBe(bytes())
})
