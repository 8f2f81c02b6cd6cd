import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { harbourGroup } from '../src/testing/discovery/sample-site.ts'
import { type Answer, type Served, serveGroup } from '../src/testing/http/serve-groups.ts'

let served: Served
beforeAll(async () => {
  served = await serveGroup(harbourGroup, {})
})
afterAll(() => served.close())

const JSON_TYPE = 'application/json'
const GOOD = '{"line":"fog"}'
/** A byte per character of the text. */
const post = (body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  served.ask(
    'POST',
    '/tides',
    { 'content-type': JSON_TYPE, ...headers },
    Buffer.from(body, 'latin1') as never,
  )
const problemOf = ({ status, body }: Answer) => {
  const { code, detail, hint } = JSON.parse(body)
  expect(hint).toEqual(expect.any(String))
  return [status, code, detail]
}

describe('a body', () => {
  test.each([
    ['plain', GOOD, JSON_TYPE],
    ['with a charset', GOOD, 'application/json; charset=UTF-8'],
    ['with a quoted charset', GOOD, 'application/json;charset="utf-8"'],
    ['of a kind of JSON', GOOD, 'application/vnd.harbour+json'],
    ['in capitals', GOOD, 'Application/JSON'],
    ['with a byte order mark', `\xef\xbb\xbf${GOOD}`, JSON_TYPE],
    ['with blanks around it', ` \r\n${GOOD}\n`, JSON_TYPE],
    ['with a field that is not known', '{"line":"fog","__proto__":{"x":1},"other":[]}', JSON_TYPE],
  ])('%s is read', async (_, body, type) => {
    expect((await post(body, { 'content-type': type })).status).toBe(200)
  })

  test.each([
    ['text/plain', 'the content type is "text/plain"'],
    ['application/x-www-form-urlencoded', 'the content type is "application/x-www-form-urlencoded"'],
    ['application/jsonp', 'the content type is "application/jsonp"'],
    ['', 'the content type is ""'],
    ['application/json; charset=utf-16', 'the charset is "utf-16"'],
    ['application/json; charset=iso-8859-1', 'the charset is "iso-8859-1"'],
  ])('of the type %j is 415', async (type, detail) => {
    expect(problemOf(await post(GOOD, { 'content-type': type }))).toEqual([415, 'not_json', detail])
  })

  test('without a type, or compressed, is 415', async () => {
    const untyped = await served.ask('POST', '/tides', {}, GOOD)
    expect(problemOf(untyped)).toEqual([415, 'not_json', 'the request names no content type'])
    const compressed = await post(GOOD, { 'content-encoding': 'gzip' })
    expect(problemOf(compressed)).toEqual([415, 'not_json', 'the content encoding is "gzip"'])
    expect((await post(GOOD, { 'content-encoding': 'identity' })).status).toBe(200)
  })

  test.each([
    ['', 'the body is empty'],
    [' \n ', 'the body is empty'],
    ['\xef\xbb\xbf', 'the body is empty'],
    ['{"line":}', 'the body is no JSON at line 1, column 9: "}" stands where a value should be'],
    ['{"line":"fog"', 'the body is no JSON at line 1, column 14: it ends too early'],
    ['{\n  "line": "fog",\n}', 'the body is no JSON at line 3, column 1: "}" stands where name should be'],
    [`${GOOD} x`, 'the body is no JSON at line 1, column 16: "x" stands where the end should be'],
    ['line=fog', 'the body is no JSON at line 1, column 1: "l" stands where a value should be'],
    ['{"line":"\xff"}', 'the body is not UTF-8, from byte 9 on at the earliest'],
    [`{"line":${'['.repeat(40)}${']'.repeat(40)}}`, 'the body nests deeper than 32 levels'],
  ])('%j is 400 and says where', async (body, detail) => {
    expect(problemOf(await post(body))).toEqual([400, 'invalid_json', detail])
  })

  test('with a length that cannot be compared is 422', async () => {
    const { status, body } = await post('{"line":{"length":{"toString":1,"valueOf":2}}}')
    expect([status, JSON.parse(body).detail[0]]).toEqual([
      422,
      { loc: ['body'], msg: expect.stringMatching(/where a text or a list belongs/), type: 'value_error' },
    ])
  })

  test('that is deep beyond all reason is answered as well', async () => {
    expect(problemOf(await post('['.repeat(65_000)))[0]).toBe(400)
    expect(problemOf(await post(`${'['.repeat(30_000)}${']'.repeat(30_000)}`))[0]).toBe(400)
  })

  test('that is too large is 413, whether it says so or not', async () => {
    const body = JSON.stringify({ line: 'x'.repeat(70_000) })
    for (const headers of [{ 'content-length': String(body.length) }, { 'transfer-encoding': 'chunked' }])
      expect(problemOf(await post(body, headers))).toEqual([
        413,
        'body_too_large',
        'a body may have at most 65536 bytes',
      ])
  })

  test.each(['null', '[]', '1', '"text"', '{}', '{"line":""}'])(
    '%s that is JSON of another shape is 422',
    async (body) => {
      expect((await post(body)).status).toBe(422)
    },
  )
})

describe('a redirect', () => {
  const locationOf = async (target: string) => {
    const { status, headers } = await served.ask('GET', target)
    return [status, headers.location]
  }

  test.each([
    ['/harbours', '/harbours/dover'],
    ['/harbours?', '/harbours/dover'],
    ['/harbours?demo=0', '/harbours/dover?demo=0'],
    ['/harbours?unit=ft&demo=0&demo=1', '/harbours/dover?unit=ft&demo=0&demo=1'],
    ['/harbours?a=%0d%0aSet-Cookie:%20x=1', '/harbours/dover?a=%0d%0aSet-Cookie:%20x=1'],
    ['/harbours?//evil.example/', '/harbours/dover?//evil.example/'],
    ['/harbours?@evil.example', '/harbours/dover?@evil.example'],
    ['/harbours?%zz=%', '/harbours/dover?%zz=%'],
    ['http://evil.example/harbours?x=1', '/harbours/dover?x=1'],
  ])('of %s keeps the query and stays here', async (target, location) => {
    expect(await locationOf(target)).toEqual([307, location])
  })
})
