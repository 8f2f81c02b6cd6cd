import { expect, test } from 'vitest'
import { z } from 'zod'
import { issuesOf } from './validation.ts'

test.each([
  [z.number().max(100), 101, 'must be at most 100'],
  [z.number().min(1.5), 1, 'must be at least 1.5'],
  [z.number().lt(1), 1, 'must be less than 1'],
  [z.number().gt(0), 0, 'must be more than 0'],
  [z.int(), 2 ** 60, `must be at most ${Number.MAX_SAFE_INTEGER}`],
  [z.string().min(1), '', 'must have at least 1 character'],
  [z.string().max(1_200), 'x'.repeat(1_201), 'must have at most 1,200 characters'],
  [z.string().length(2), 'x', 'must have exactly 2 characters'],
  [z.array(z.int()).max(1), [1, 2], 'must have at most 1 entry'],
  [z.array(z.int()).min(2), [1], 'must have at least 2 entries'],
  [z.number().max(3, 'ask for three'), 4, 'ask for three'],
])('a value beyond its bound is told the bound: %#', (schema, value, words) => {
  const { error } = schema.safeParse(value)
  expect(issuesOf(error as z.ZodError, () => 'query').map(({ msg }) => msg)).toEqual([words])
})
