import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromText, toText } from './codec.ts'

const ODD = [
  undefined,
  null,
  12n,
  -(2n ** 70n),
  Number.NaN,
  -0,
  0,
  Number.POSITIVE_INFINITY,
  -1e-320,
  '',
  '~u',
  '~~',
  '~b1',
]

test.each(ODD.map((value) => [value]))('%s comes back as it was, alone and inside of others', (value) => {
  expect(fromText(toText(value))).toStrictEqual(value)
  const nested = {
    a: [value, { b: value }],
    c: new Map<unknown, unknown>([
      ['k', value],
      [value, [value]],
    ]),
  }
  expect(fromText(toText(nested))).toStrictEqual(nested)
})

test('any value comes back as it was', () => {
  const some = fc.anything({
    withBigInt: true,
    withMap: true,
    maxDepth: 4,
    key: fc.string().filter((key) => key !== '__proto__'),
  })
  fc.assert(
    fc.property(some, (value) => {
      expect(fromText(toText(value))).toStrictEqual(value)
    }),
    { numRuns: 2_000 },
  )
})

test('what is sent is not changed, and no array is copied that can go as it is', () => {
  const sent = { levels: Object.freeze([1, 2, 3]), odd: Object.freeze([1, undefined, 3]) }
  expect(fromText(toText(sent))).toEqual(sent)
})

test.each([
  ['no text', 5],
  ['nothing', undefined],
  ['no JSON', '{'],
  ['an unknown mark', '"~x"'],
  ['a number that is a word', '"~nabc"'],
  ['a bigint that is none', '"~b1.5"'],
  ['a bigint without end', `"~b${'9'.repeat(100)}"`],
  ['a map that is none', '["~M",1]'],
  ['a prototype', '{"__proto__":{"a":1}}'],
  ['depth', `${'['.repeat(40)}${']'.repeat(40)}`],
  ['length', `"${'a'.repeat(16_777_216)}"`],
])('%s is refused', (_, text) => {
  expect(() => fromText(text)).toThrow()
})

test('what has no text is refused where it is sent', () => {
  expect(() => toText({ call: () => 1 })).toThrow('function')
  const round: unknown[] = []
  round.push(round)
  expect(() => toText(round)).toThrow('deep')
})
