import { describe, expect, test } from 'vitest'
import type { OracleTick } from '../../feeds/events.ts'
import { FIRST_MS } from '../../testing/signals/random-candles.ts'
import { createOpenWindow, type OpenWindow } from './open-window.ts'

const START_S = FIRST_MS / 1000
const window = { startS: START_S, endS: START_S + 300 }
const NONE = Number.NaN
const profile = { left: (min: number) => 5 - min, leftOfMean: (min: number) => (5 - min) / 2 }

function tick(kind: OracleTick['kind'], secondsIn: number, price: number): OracleTick {
  return { coin: 'BTC', kind, price, source: 'polybolt', atMs: (START_S + secondsIn) * 1000 }
}
const distanceOf = (open: OpenWindow, usd: number, elapsedS: number) =>
  open.measure({ usd, usdt: NONE }, elapsedS, profile)?.distance

describe('without an average at its opening', () => {
  test('has no distance until an opening price is known', () => {
    const open = createOpenWindow(window)
    expect(open.measure({ usd: 100, usdt: 100 }, 10, profile)).toBeUndefined()
    open.openAt('usd', NONE)
    expect(open.measure({ usd: 100, usdt: 100 }, 10, profile)).toBeUndefined()
  })

  test('measures from the first opening price and resolves on spot', () => {
    const open = createOpenWindow(window)
    open.openAt('usd', 100)
    open.openAt('usd', 120)
    const expected = { distance: Math.log(101 / 100), varianceMin: 3.5, kind: 'spot' }
    expect(open.measure({ usd: 101, usdt: 5 }, 90, profile)).toEqual(expected)
  })

  test('compares dollars with dollars and USDT with USDT only', () => {
    const open = createOpenWindow(window)
    open.openAt('usdt', 100)
    expect(open.measure({ usd: 101, usdt: NONE }, 90, profile)).toBeUndefined()
    expect(open.measure({ usd: 101, usdt: 102 }, 90, profile)?.distance).toBe(Math.log(1.02))
    open.openAt('usd', 50)
    expect(open.measure({ usd: 51, usdt: 102 }, 90, profile)?.distance).toBe(Math.log(51 / 50))
    expect(open.measure({ usd: NONE, usdt: 102 }, 90, profile)?.distance).toBe(Math.log(1.02))
  })

  test.each([-300, -1, 1, 59, 300])('an average of %i s after the opening does not open it', (secondsIn) => {
    const open = createOpenWindow(window)
    open.tick(tick('twap_60s', secondsIn, 90))
    expect(distanceOf(open, 100, 10)).toBeUndefined()
  })
})

describe('with the average of its opening second', () => {
  const opened = () => {
    const open = createOpenWindow(window)
    open.openAt('usd', 50)
    open.openAt('usdt', 60)
    open.tick(tick('twap_60s', 0.4, 100))
    return open
  }

  test('resolves on averages and measures from that one', () => {
    const measured = opened().measure({ usd: 101, usdt: 7 }, 90, profile)
    expect(measured).toEqual({ distance: Math.log(1.01), varianceMin: 1.75, kind: 'twap_60s' })
  })

  test('falls back on spot while the dollar price is not known', () => {
    const measured = opened().measure({ usd: NONE, usdt: 61 }, 90, profile)
    expect(measured).toEqual({ distance: Math.log(61 / 60), varianceMin: 3.5, kind: 'spot' })
  })

  test('in the last minute the seconds seen count for the time they took', () => {
    const open = opened()
    // 20 seconds at 102, then the price falls to 99: a third of the mean is fixed.
    for (let s = 240; s < 260; s++) open.tick(tick('spot', s, 102))
    expect(distanceOf(open, 99, 260)).toBeCloseTo(Math.log((102 * 20 + 99 * 40) / 60 / 100), 12)
    for (let s = 260; s < 300; s++) open.tick(tick('spot', s, 99))
    // At the end the price itself does not matter any more.
    expect(distanceOf(open, 500, 300)).toBeCloseTo(Math.log((102 * 20 + 99 * 40) / 60 / 100), 12)
  })

  test('seconds without a tick are taken to be like those with one', () => {
    const open = opened()
    open.tick(tick('spot', 240, 104))
    open.tick(tick('spot', 250, 102))
    expect(distanceOf(open, 100, 270)).toBeCloseTo(Math.log((103 * 30 + 100 * 30) / 60 / 100), 12)
  })

  test('ticks before the last minute, of other windows, doubled or out of order are ignored', () => {
    const open = opened()
    open.tick(tick('spot', 245, 102))
    for (const s of [245, 245.9, 244, 239, 100, -5, 300, 301, 545]) open.tick(tick('spot', s, 5_000))
    expect(distanceOf(open, 102, 270)).toBeCloseTo(Math.log(1.02), 12)
  })

  test('without a single tick the price is used as the mean', () => {
    expect(distanceOf(opened(), 103, 299)).toBeCloseTo(Math.log(1.03), 12)
  })
})
