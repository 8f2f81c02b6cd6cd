import { expect, test } from 'vitest'
import { FIRST_MS } from '../../testing/signals/random-candles.ts'
import { createWindows } from './windows.ts'

const START_S = FIRST_MS / 1000
const NONE = Number.NaN
const profile = { left: () => 1, leftOfMean: () => 1 }
const at = (secondsIn: number) => FIRST_MS + secondsIn * 1000

test('one window until the next begins', () => {
  const windows = createWindows()
  const first = windows.at(at(0), 1)
  expect(windows.at(at(299.999), 1)).toBe(first)
  expect(windows.at(at(300), 1)).not.toBe(first)
  expect(windows.at(at(300), 1).window).toEqual({ startS: START_S + 300, endS: START_S + 600 })
})

test.each([
  [0, true],
  [4.9, true],
  [5.1, false],
  [120, false],
])('a first price %f s into the window opens it: %s', (secondsIn, isOpened) => {
  const open = createWindows().at(at(secondsIn), 100)
  expect(open.measure({ usd: 101, usdt: NONE }, 200, profile) !== undefined).toBe(isOpened)
})

test('the minute that ends at the start opens it in USDT, whether it closes before the window opens or in it', () => {
  const windows = createWindows()
  windows.minuteClosed(START_S, 100)
  expect(windows.at(at(60), NONE).measure({ usd: NONE, usdt: 101 }, 60, profile)?.distance).toBe(
    Math.log(1.01),
  )
  const next = windows.at(at(301), NONE)
  expect(next.measure({ usd: NONE, usdt: 101 }, 1, profile)).toBeUndefined()
  windows.minuteClosed(START_S + 300, 50)
  expect(next.measure({ usd: NONE, usdt: 101 }, 2, profile)?.distance).toBe(Math.log(101 / 50))
})

test('minutes that end inside a window, or at the start of another, do not open it', () => {
  const windows = createWindows()
  const open = windows.at(at(10), NONE)
  windows.minuteClosed(START_S - 300, 90)
  windows.minuteClosed(START_S + 60, 91)
  expect(open.measure({ usd: NONE, usdt: 101 }, 61, profile)).toBeUndefined()
})
