import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../core/time/time.ts'
import { volatilityRatioOf } from './volatility-ratio.ts'

const NOW_MS = Date.UTC(2026, 4, 6, 13)
/** Each minute the price goes up or down by the share that `moveOf` gives for the minutes before now. */
function candles(minutes: number, moveOf: (ago: number) => number) {
  return Array.from({ length: minutes }, (_, index) => {
    const ago = minutes - index
    return { openMs: NOW_MS - ago * MINUTE_MS, close: 100 * (1 + (index % 2 === 0 ? 0 : moveOf(ago))) }
  })
}

it('is one where the last hour moves as the day does', () => {
  expect(
    volatilityRatioOf(
      candles(1_440, () => 1e-3),
      NOW_MS,
    )?.ratio,
  ).toBeCloseTo(1, 6)
})

it('rises with the last hour', () => {
  const ratio = volatilityRatioOf(
    candles(1_440, (ago) => (ago <= 60 ? 3e-3 : 1e-3)),
    NOW_MS,
  )?.ratio
  expect(ratio).toBeGreaterThan(2)
  expect(ratio).toBeLessThan(3)
})

it('knows nothing from too little, too old or motionless history', () => {
  expect(volatilityRatioOf([], NOW_MS)).toBeUndefined()
  expect(
    volatilityRatioOf(
      candles(359, () => 1e-3),
      NOW_MS,
    ),
  ).toBeUndefined()
  expect(
    volatilityRatioOf(
      candles(1_440, () => 1e-3),
      NOW_MS + 6 * MINUTE_MS,
    ),
  ).toBeUndefined()
  expect(
    volatilityRatioOf(
      candles(1_440, () => 0),
      NOW_MS,
    ),
  ).toBeUndefined()
})

it('leaves out the minute that is under way', () => {
  const past = candles(1_440, () => 1e-3)
  const wild = { openMs: NOW_MS, close: 1e6 }
  expect(volatilityRatioOf([...past, wild], NOW_MS + 1_000)).toEqual({
    ...volatilityRatioOf(past, NOW_MS),
    asOfMs: NOW_MS,
  })
})
