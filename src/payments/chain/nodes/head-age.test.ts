import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { createHeadAge } from './head-age.ts'

const STALE_AFTER_MS = 60_000
const STEP_MS = 15_000

function open() {
  const clock = createManualClock(1_800_000_000_000)
  const { see } = createHeadAge(clock, STALE_AFTER_MS)
  /** Whether a probe with this head finds the node well. */
  const isWell = (height: number, ageMs = 1_000) => {
    clock.advance(STEP_MS)
    try {
      see({ height, timeMs: clock.now() - ageMs })
      return true
    } catch {
      return false
    }
  }
  return { isWell }
}

test('one head that was far too high, or a chain that was rolled back, is trouble for minutes and not for ever', () => {
  const { isWell } = open()
  expect(isWell(520_000_000)).toBe(true)
  const wellAt = Array.from({ length: 12 }, (_, probe) => isWell(38_000_000 + 7 * probe))
  expect(wellAt.slice(-4)).toEqual([true, true, true, true])
})

test('machines that stand still are stale, also where they take turns', () => {
  const { isWell } = open()
  const wellAt = Array.from({ length: 12 }, (_, probe) => isWell(100 + (probe % 2), 0))
  expect(wellAt.slice(-6)).toEqual(Array(6).fill(false))
})

test.each([2, 4])('after one head that was far too high, machines that take turns by %i are well', (by) => {
  const { isWell } = open()
  expect(isWell(520_000_000)).toBe(true)
  const isBehind = (probe: number) => probe % by >= by / 2
  const wellAt = Array.from({ length: 40 }, (_, probe) =>
    isWell(38_000_000 + 7 * probe - (isBehind(probe) ? 10 : 0), isBehind(probe) ? 21_000 : 1_000),
  )
  expect(wellAt.slice(-30)).toEqual(Array(30).fill(true))
})

test('four machines that stand still are stale, after a head that was too high too', () => {
  const { isWell } = open()
  expect(isWell(520_000_000)).toBe(true)
  const wellAt = Array.from({ length: 40 }, (_, probe) => isWell(100 + (probe % 4), 0))
  expect(wellAt.slice(-24)).toEqual(Array(24).fill(false))
})
