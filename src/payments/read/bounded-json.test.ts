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

const signed = fc.constantFrom(
  '{"authorization":{"from":"0x1","to":"0x2"},"signature":"0xaB"}',
  '{"signature":"0x","authorization":{}}',
  '{"signature":"0x1","signature":"0x2"}',
  '{"authorization":{"a":"1","a":"2"},"signature":"0x1"}',
  '{"authorization":{"a":"},"signature":"0x1"}',
  '{"authorization":{"a":"1"}"signature":"0x1"}',
  '{"authorization":{"a":1},"authorization":{"b":2}}',
  '{"signature":"0x1",,}',
)
const member = fc.tuple(fc.oneof(name, fc.constantFrom('"payload"', '"x402Version"')), colon, tree)

const rest = fc.oneof(
  fc.array(member, { maxLength: 3 }).map((members) => members.map((entry) => entry.join('')).join(',')),
  fc.constantFrom('"resource":{"url":"x"},"accepted":{"a":[1,{"b":2}]}', '"extensions":{"é":"\\""}'),
)

test('a payment whose rest was seen before is read as if it were the first', () => {
  let passed = 0
  fc.assert(
    fc.property(signed, rest, (payload, rest) => {
      const json = `{"x402Version":2,"payload":${payload},${rest}}`
      const isGood = isJson(json) && isUnambiguous(json)
      if (isGood) passed++
      for (let times = 0; times < 2; times++)
        expect(findHeaderJson(header(json))).toEqual(isGood ? JSON.parse(json) : undefined)
    }),
    { numRuns: 5_000 },
  )
  expect(passed).toBeGreaterThan(100)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

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
