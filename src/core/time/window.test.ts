import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWindowStart, secondsRemaining, windowAt } from './window.ts'

const anyTime = fc.integer({ min: 0, max: 4_102_444_800_000 })

describe('windows', () => {
  test('every moment lies in exactly one window', () => {
    fc.assert(
      fc.property(anyTime, (ms) => {
        const { startS, endS } = windowAt(ms)
        expect(startS * 1000 <= ms && ms < endS * 1000).toBe(true)
        expect(endS - startS).toBe(300)
        expect(isWindowStart(startS)).toBe(true)
      }),
    )
  })

  test('the end belongs to the next window', () => {
    const edgeMs = 1_767_614_400_000
    expect(windowAt(edgeMs).startS * 1000).toBe(edgeMs)
    expect(windowAt(edgeMs - 1).endS * 1000).toBe(edgeMs)
  })

  test('seconds remaining run from 300 to 1 and are 0 once closed', () => {
    const window = windowAt(1_767_614_400_000)
    const at = (ms: number) => secondsRemaining(window, window.startS * 1000 + ms)
    expect([at(0), at(1), at(1000), at(299_999), at(300_000), at(400_000)]).toEqual([300, 300, 299, 1, 0, 0])
  })

  test.each([1, 299, -300, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('%d starts no window', (s) => {
    expect(isWindowStart(s)).toBe(false)
  })
})
