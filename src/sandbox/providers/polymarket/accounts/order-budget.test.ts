import { expect, test } from 'vitest'
import { createOrderBudget, ORDER_BURST } from './order-budget.ts'

test('a list that is longer than the burst passes from a full bucket, and is paid back at the steady rate', () => {
  let nowMs = 0
  const hasBudget = createOrderBudget(() => nowMs)
  expect(hasBudget('a', 1_000)).toBe(true)
  nowMs += ((1_000 - ORDER_BURST) / 60) * 1_000
  expect(hasBudget('a', 1)).toBe(false)
  nowMs += 1_000
  expect(hasBudget('a', 60)).toBe(true)
  expect(hasBudget('a', 1)).toBe(false)
  expect(hasBudget('b', ORDER_BURST)).toBe(true)
})
