import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createRequestBudget } from './request-budget.ts'

test('a burst is free, then each waits for its share, and rest fills it up again', () => {
  const clock = createManualClock(0)
  const budget = createRequestBudget(clock, { burst: 3, perSecond: 2 }, 2_000)
  expect([1, 1, 1, 1, 1].map((cost) => budget.findWaitMs(cost))).toEqual([0, 0, 0, 500, 1_000])
  clock.advance(1_000)
  expect(budget.findWaitMs(1)).toBe(500)
  clock.advance(60_000)
  expect([3, 1].map((cost) => budget.findWaitMs(cost))).toEqual([0, 500])
})

test('what would wait too long is refused and takes nothing from the others', () => {
  const budget = createRequestBudget(createManualClock(0), { burst: 1, perSecond: 1 }, 2_000)
  expect(budget.findWaitMs(4)).toBeUndefined()
  expect([1, 1, 1].map((cost) => budget.findWaitMs(cost))).toEqual([0, 1_000, 2_000])
  expect(budget.findWaitMs(1)).toBeUndefined()
})

test('a clock set back does not lock anybody out', () => {
  let nowMs = 1_000_000
  const clock = { ...createManualClock(0), now: () => nowMs }
  const budget = createRequestBudget(clock, { burst: 1, perSecond: 1 }, 2_000)
  expect(budget.findWaitMs(1)).toBe(0)
  nowMs = 0
  expect(budget.findWaitMs(1)).toBe(1_000)
})
