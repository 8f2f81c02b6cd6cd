import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BadReply, parseBoundedJson, readJson } from './read-json.ts'

test('whatever is JSON is read as the parser reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(parseBoundedJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('any text at all is read or refused', () => {
  const pieces = fc.constantFrom('"', '\\', '[', ']', '{', '}', ':', ',', '1', 'NaN', '\\u00', ' ', '\u2028')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      try {
        parseBoundedJson(parts.join(''))
      } catch (error) {
        expect(error).toBeInstanceOf(BadReply)
      }
    }),
  )
})

test('64 levels are read, 65 are not, whatever brackets its texts hold', () => {
  const nested = (levels: number, inner: string) => '['.repeat(levels) + inner + ']'.repeat(levels)
  expect(parseBoundedJson(nested(64, '"[[["'))).toBeDefined()
  expect(parseBoundedJson(nested(64, JSON.stringify('\\"[[[')))).toBeDefined()
  expect(() => parseBoundedJson(nested(65, ''))).toThrow('more than 64 levels')
  expect(() => parseBoundedJson(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toThrow('more than 64 levels')
})

test('a text that is made to be slow is not', () => {
  // Searching back from each quote for its backslashes would take hours if they were counted again and again.
  const slow = ['"'.repeat(2e6), '\\'.repeat(2e6), `"${'\\"'.repeat(1e6)}`]
  for (const text of slow) expect(() => parseBoundedJson(text)).toThrow(BadReply)
})

test('a body of exactly the bound is read, of one byte more is not', async () => {
  expect(await readJson(new Response('[1,2]'), 5)).toEqual([1, 2])
  await expect(readJson(new Response('[1,2]'), 4)).rejects.toThrow('more than 4 bytes')
})
