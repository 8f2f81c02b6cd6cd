import { expect, test } from 'vitest'
import { z } from 'zod'
import { charsOf, MOST_CHARS, shorten } from './shorten.ts'

const anything = z.unknown()
const items = (count: number, text = 'x') => Array.from({ length: count }, (_, index) => `${text}${index}`)

test('a list shows its first three items, and what is short stays as it is', () => {
  const reply = { total: 9, names: items(9), pair: ['a', 'b'] }
  expect(shorten(reply, anything)).toEqual({ total: 9, names: items(3), pair: ['a', 'b'] })
})

test('where that is still long, lists inside and outside of it become shorter', () => {
  const row = (count: number) => ({ cells: items(count, 'x'.repeat(200)) })
  const reply = { rows: items(9).map(() => row(9)) }
  expect(shorten(reply, anything)).toEqual({ rows: [row(2), row(2)] })
})

test('what adds up stays whole, as long as the example is not far too long', () => {
  const parts = (count: number, chars: number) =>
    Array.from({ length: count }, () => ({ weight: 0.1, words: 'x'.repeat(chars) }))
  const reply = { coins: Array.from({ length: 3 }, () => ({ parts: parts(9, 200) })) }
  expect(shorten(reply, anything)).toEqual({ coins: [{ parts: parts(9, 200) }] })
  expect(shorten({ parts: parts(9, 900) }, anything)).toEqual({ parts: parts(3, 900) })
})

test('a list that must be whole stays so, and keeps no other from being cut', () => {
  const schema = z.object({ coins: z.array(z.string()).length(4), trades: z.array(z.string()) })
  const reply = { coins: items(4), trades: items(9) }
  expect(shorten(reply, schema)).toEqual({ coins: items(4), trades: items(3) })
})

test('a long text ends with a sentence where nothing else helps', () => {
  const sentence = `${'word '.repeat(20).trim()}. `
  const reply = { text: sentence.repeat(60).trim() }
  expect(charsOf(reply)).toBeGreaterThan(MOST_CHARS)
  expect(shorten(reply, anything)).toEqual({ text: sentence.repeat(2).trim() })
  expect(shorten(reply, z.object({ text: z.string().min(1_000) }))).toEqual(reply)
  const lines = { text: `${'word '.repeat(40)}\n`.repeat(20) }
  expect(shorten(lines, anything)).toEqual({ text: 'word '.repeat(40) })
  const endless = { text: 'x'.repeat(4_000) }
  expect(shorten(endless, anything)).toEqual(endless)
})

test('a pair stays one', () => {
  const pair = [
    { kind: 'commit', words: 'x'.repeat(800) },
    { kind: 'reveal', words: 'x'.repeat(800) },
  ]
  expect(shorten({ pair, names: items(900) }, anything)).toEqual({ pair, names: items(1) })
})
