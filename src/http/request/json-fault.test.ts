import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonFault } from './json-fault.ts'

test.each([
  ['', 0, 'ends too early'],
  [' \n', 2, 'ends too early'],
  ['{', 1, 'ends too early'],
  ['{"a"', 4, 'ends too early'],
  ['{"a":', 5, 'ends too early'],
  ['{"a":1', 6, 'ends too early'],
  ['[1,2', 4, 'ends too early'],
  ['"abc', 4, 'not closed'],
  ['{"a":}', 5, '"}" stands where a value'],
  ['{"a":1,}', 7, '"}" stands where name'],
  ['[1,]', 3, '"]" stands where a value'],
  ['{a:1}', 1, '"a" stands where name or }'],
  ["{'a':1}", 1, `"'" stands where name or }`],
  ['{"a" 1}', 5, '"1" stands where :'],
  ['{"a":1 "b":2}', 7, '"\\"" stands where , or }'],
  ['[1 2]', 3, '"2" stands where , or ]'],
  ['[1}', 2, '"}" stands where , or ]'],
  ['{"a":NaN}', 5, '"N" stands where a value'],
  ['01', 1, 'stands where the end'],
  ['1 2', 2, 'stands where the end'],
  ['{"a":"b\nc"}', 7, 'control character'],
  ['{"a":"\\x"}', 6, 'no such escape'],
  ['{"a":"\\u12"}', 6, 'no such escape'],
  ['tru', 0, '"t" stands where a value'],
  ['-', 0, 'a value'],
  ['// no\n{}', 0, '"/" stands'],
  ['😀', 0, 'stands where a value'],
])('%j is broken at %i', (text, at, problem) => {
  expect(findJsonFault(text)).toEqual({ at, problem: expect.stringContaining(problem) })
})

const parses = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('finds no fault in JSON, and one wherever the engine does', () => {
  const mutated = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', ',', ':', '{', '}', '[', ']', '\\', '0', '-', 'e', '.', ' ', '\n'),
    )
    .map(([json, at, piece]) => {
      const cut = at % (json.length + 1)
      return json.slice(0, cut) + piece + json.slice(cut + (at % 2))
    })
  fc.assert(
    fc.property(fc.oneof(mutated, fc.json(), fc.string()), (text) => {
      expect(findJsonFault(text) === undefined, text).toBe(parses(text))
    }),
    { numRuns: 5_000 },
  )
})

test('is quick with what is deep or long', () => {
  expect(findJsonFault('['.repeat(65_536))?.at).toBe(65_536)
  expect(findJsonFault(`["${'a'.repeat(65_000)}"]`)).toBeUndefined()
})
