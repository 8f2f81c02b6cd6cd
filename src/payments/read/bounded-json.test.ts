import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findHeaderJson } from './bounded-json.ts'

const header = (json: string) => Buffer.from(json).toString('base64')

const name = fc.constantFrom(
  ...['"a"', '"b"', '"\\u0061"', '"__proto__"', '"\\u005f_proto__"', '"a\\""', '"a\\\\"', '"\\\\\\""'],
  ...[' "c" ', '"é"', '"a:"', '"}"', '"{"'],
)
const colon = fc.constantFrom(':', ' :', ':\n', '\t: ')
const scalar = fc.constantFrom('1', 'true', 'null', '"x"', '"a\\"b"', '"\\\\"', '""', '":"', '"\\":"')
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium' },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }).map((entries) => `[${entries.join(' , ')}]`),
    fc
      .array(fc.tuple(name, colon, tie('tree')), { maxLength: 4 })
      .map((entries) => `{${entries.map((entry) => entry.join('')).join(',')}}`),
  ),
}))

test('of any JSON the objects pass in which no name stands twice, has an escape or is __proto__', () => {
  let passed = 0
  fc.assert(
    fc.property(tree, (json) => {
      const isGood = json.startsWith('{') && isUnambiguous(json)
      if (isGood) passed++
      expect(findHeaderJson(header(json))).toEqual(isGood ? JSON.parse(json) : undefined)
    }),
    { numRuns: 5_000 },
  )
  expect(passed).toBeGreaterThan(100)
})

test.each(['{"a":', '['])('nesting %s twenty deep passes, and no deeper', (open) => {
  const close = open === '[' ? ']' : '}'
  const nested = (depth: number) => `{"q":${open.repeat(depth - 1)}1${close.repeat(depth - 1)}}`
  expect(findHeaderJson(header(nested(20)))).toBeDefined()
  expect(findHeaderJson(header(nested(21)))).toBeUndefined()
})

test('text that is not base64 of UTF-8 in its only spelling is nothing', () => {
  const good = header('{"a":"bc"}')
  expect(good).toMatch(/==$/)
  expect(findHeaderJson(good)).toEqual({ a: 'bc' })
  const bad = [
    good.slice(0, -1),
    `${good}=`,
    ` ${good}`,
    `${good}\n`,
    good.replace(/.==$/, 'R=='),
    `-${good}`,
  ]
  for (const text of ['', ...bad]) expect(findHeaderJson(text), text).toBeUndefined()
  const notUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64')
  expect(findHeaderJson(notUtf8)).toBeUndefined()
  expect(findHeaderJson(header('\ufeff{}'))).toBeUndefined()
})

/** The slow way: keeps the names of every open object. */
function isUnambiguous(json: string): boolean {
  const open: Set<string>[] = []
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (char === '{' || char === '[') open.push(new Set())
    else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      const [text = ''] = /^"(?:[^"\\]|\\.)*"/.exec(json.slice(at)) ?? []
      at += text.length - 1
      if (!/^\s*:/.test(json.slice(at + 1))) continue
      if (text === '"__proto__"' || text.includes('\\') || open.at(-1)?.has(text)) return false
      open.at(-1)?.add(text)
    }
  }
  return true
}
