import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Reply } from '../reply.ts'
import { prepareReply } from './prepared.ts'

const TEXT = 'a page of some length · '.repeat(100)
const headers = ['Content-Type', 'text/html', 'Cache-Control', 'public, max-age=60']
const serve = prepareReply({ body: Buffer.from(TEXT), headers, vary: 'Accept' })

const headerOf = ({ headers }: Reply, name: string) => headers[headers.indexOf(name) + 1]
const bytesOf = ({ body }: Reply) => Buffer.from(body, 'latin1')

test.each([
  ['br', 'gzip, deflate, br, zstd', (bytes: Buffer) => brotliDecompressSync(bytes)],
  ['gzip', 'gzip;q=1, br;q=0', (bytes: Buffer) => gunzipSync(bytes)],
])('%s where the caller takes it, and it is the same text', async (encoding, accepted, decode) => {
  const reply = await serve({ 'accept-encoding': accepted })
  expect(headerOf(reply, 'Content-Encoding')).toBe(encoding)
  expect(headerOf(reply, 'Vary')).toBe('Accept, Accept-Encoding')
  expect(reply.bytes).toBe(reply.body.length)
  expect(decode(bytesOf(reply)).toString()).toBe(TEXT)
  expect(await serve({ 'accept-encoding': accepted })).toBe(reply)
})

test.each([undefined, '', 'identity', '*', 'zstd', 'br;q=0', 'gzip; q=0.0'])(
  'plain for %j',
  async (accepted) => {
    const reply = await serve({ 'accept-encoding': accepted })
    expect(reply.headers).not.toContain('Content-Encoding')
    expect(bytesOf(reply).toString()).toBe(TEXT)
  },
)

test('each encoding has a tag of its own, and who has it gets no body', async () => {
  const encodings = ['br', 'gzip', 'identity']
  const tags = await Promise.all(
    encodings.map(async (each) => headerOf(await serve({ 'accept-encoding': each }), 'ETag')),
  )
  expect(new Set(tags).size).toBe(3)
  const known = await serve({ 'accept-encoding': 'br', 'if-none-match': tags[0] })
  expect([known.status, known.body, headerOf(known, 'ETag')]).toEqual([304, '', tags[0]])
  expect(known.headers).not.toContain('Content-Type')
  expect((await serve({ 'accept-encoding': 'gzip', 'if-none-match': tags[0] })).status).toBe(200)
})

test('the policy of a page goes with its 304 too: a browser takes the headers of that for the page it has kept', async () => {
  const contentSecurityPolicy = "default-src 'self'"
  const page = prepareReply({ body: Buffer.from(TEXT), headers, contentSecurityPolicy })
  const first = await page({})
  const again = await page({ 'if-none-match': headerOf(first, 'ETag') })
  expect([first, again]).toMatchObject([
    { status: 200, contentSecurityPolicy },
    { status: 304, contentSecurityPolicy },
  ])
})

test('what is short is never compressed', async () => {
  const short = prepareReply({ body: Buffer.from('short'), headers })
  const reply = await short({ 'accept-encoding': 'br, gzip' })
  expect([reply.body, reply.headers.includes('Vary')]).toEqual(['short', false])
})
