import { expect, test } from 'vitest'
import { isDue } from './is-due.ts'

test.each([
  ['nothing was before', 5, undefined, true],
  ['just now', 1_000, 1_000, false],
  ['a moment too early', 1_099, 1_000, false],
  ['at the time', 1_100, 1_000, true],
  ['the clock was set back', 999, 1_000, true],
] as const)('%s', (_, nowMs, lastMs, isExpected) => {
  expect(isDue(nowMs, lastMs, 100)).toBe(isExpected)
})
