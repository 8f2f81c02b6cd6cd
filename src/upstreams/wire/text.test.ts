import { expect, it } from 'vitest'
import { z } from 'zod'
import { wireArray, wireText } from './text.ts'

it('bounds texts and lists', () => {
  expect(['', 'ab', 'abc'].map((text) => wireText(2, 1).safeParse(text).success)).toEqual([
    false,
    true,
    false,
  ])
  const lists = [[], [1, 2], [1, 2, 3]]
  expect(lists.map((list) => wireArray(z.number(), 2, 1).safeParse(list).success)).toEqual([
    false,
    true,
    false,
  ])
})

// zod's own bounds throw here, past `safeParse`.
it.each([['{"length":{"valueOf":1,"toString":1}}'], ['{"length":1}'], ['null'], ['5']])(
  'refuses %s',
  (json) => {
    const value = JSON.parse(json)
    expect(wireText(5, 1).safeParse(value).success).toBe(false)
    expect(wireArray(z.unknown(), 5, 1).safeParse(value).success).toBe(false)
  },
)
