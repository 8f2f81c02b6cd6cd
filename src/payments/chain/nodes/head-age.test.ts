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
