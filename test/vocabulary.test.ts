import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { free } from '../src/catalog/access.ts'
import { defineEndpoint } from '../src/catalog/endpoints/endpoint.ts'
import { definePage, definePixel } from '../src/catalog/endpoints/page.ts'
import type { Group } from '../src/catalog/group.ts'
import { createManualClock } from '../src/core/time/manual-clock.ts'
import { rendered } from '../src/testing/discovery/sample-site.ts'
import { type Served, serveGroup } from '../src/testing/http/serve-groups.ts'
import { createTicks, type TickServices, ticks } from '../src/testing/http/ticks.ts'

const NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')
const LIMIT = { name: 'previews', calls: 3, windowS: 60 }

type Desk = { seen: string[] } & TickServices
const described = { access: free, description: 'Made to try one word of the vocabulary of endpoints.' }

const order = defineEndpoint({
  ...described,
  id: 'test.order',
  method: 'POST',
  path: '/order',
  summary: 'Takes its params from the query',
  params: z.object({ side: z.enum(['YES', 'NO']), size_usd: z.number().min(1).max(5).default(5) }),
  sample: { side: 'YES' },
  response: z.object({ side: z.string(), size_usd: z.number() }),
  example: { side: 'YES', size_usd: 5 },
  handle: (_: Desk, { side, size_usd }) => ({ side, size_usd }),
})
const note = defineEndpoint({
  ...described,
  id: 'test.note',
  method: 'POST',
  paramsIn: 'body',
  path: '/notes/{board}',
  summary: 'Takes its params from a JSON body',
  params: z.object({
    board: z.int().max(8),
    author: z.string().min(1).max(32),
    message: z.string().max(280),
  }),
  sample: { board: 1, author: 'a', message: 'b' },
  response: z.object({ stored: z.int() }),
  example: { stored: 1 },
  handle: ({ seen }: Desk, { board, author, message }) => {
    seen.push(`${board}: ${author}: ${message}`)
    return { stored: board }
  },
})
const page = definePage({
  ...described,
  id: 'test.page',
  path: '/page',
  summary: 'A page for people',
  params: z.object({ name: z.string().default('you') }),
  sample: {},
  handle: (_: Desk, { name }) => ({ html: `<p>ü ${name}</p>`, contentSecurityPolicy: "default-src 'self'" }),
})
const pixel = definePixel({
  ...described,
  id: 'test.pixel',
  path: '/beacon',
  summary: 'A pixel that counts visits',
  params: z.object({ page: z.string().default('/') }),
  sample: {},
  caller: true,
  handle: ({ seen }: Desk, { page }, { client }) => void seen.push(`${client} saw ${page}`),
})
const preview = defineEndpoint({
  ...described,
  id: 'test.preview',
  method: 'GET',
  path: '/preview',
  aliases: ['/preview-again'],
  limit: LIMIT,
  summary: 'Limited per client',
  params: z.object({ n: z.int().optional() }),
  sample: {},
  response: z.object({ ok: z.boolean() }),
  example: { ok: true },
  handle: () => ({ ok: true }),
})

const cached = defineEndpoint({
  ...described,
  id: 'test.cached',
  method: 'GET',
  path: '/cached',
  summary: 'What caches may keep',
  params: z.object({}),
  sample: {},
  response: z.object({ seen: z.int(), timestamp: z.iso.datetime() }),
  example: { seen: 1, timestamp: '2026-01-05T12:00:00.000Z' },
  cacheControl: 'public, max-age=60',
  etag: true,
  handle: ({ seen }: Desk) => ({ seen: seen.length, timestamp: '2026-01-05T12:00:00.000Z' }),
})

const group: Group<Desk> = {
  tag: 'words',
  about: 'One endpoint for each word of the vocabulary.',
  endpoints: [order, note, page, pixel, ticks, preview, cached],
}
const clock = createManualClock(NOON_MS + 15_000)
const desk: Desk = { seen: [], ticks: createTicks() }
let served: Served
beforeAll(async () => {
  served = await serveGroup(group, desk, { clock })
})
afterAll(() => served.close())

const JSON_TYPE = { 'content-type': 'application/json' }

describe('a POST with query params', () => {
  test('needs no body, and ignores one', async () => {
    const plain = await served.ask('POST', '/order?side=YES')
    expect([plain.status, JSON.parse(plain.body)]).toEqual([200, { side: 'YES', size_usd: 5 }])
    const sent = await served.ask('POST', '/order?side=NO&size_usd=1.5', JSON_TYPE, '{"side":"YES"}')
    expect(JSON.parse(sent.body)).toEqual({ side: 'NO', size_usd: 1.5 })
  })
  test.each(['', '?side=MAYBE', '?side=YES&size_usd=5.01', '?side=YES&size_usd=1e0', '?side=YES&side=NO'])(
    '%s is 422',
    async (query) => {
      const { status, body } = await served.ask('POST', `/order${query}`)
      expect([status, JSON.parse(body).detail[0].loc[0]]).toEqual([422, 'query'])
    },
  )
  test('is no GET', async () => {
    const { status, headers, body } = await served.ask('GET', '/order?side=YES')
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS'])
    expect(JSON.parse(body)).toMatchObject({ code: 'method_not_allowed', hint: 'call it with POST' })
  })
})

describe('a POST with a JSON body', () => {
  const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
    served.ask('POST', '/notes/7', headers, body)
  test('takes what the path does not say from it', async () => {
    desk.seen.length = 0
    const { status } = await post('{"author":"ann","message":"hi","board":8}')
    expect([status, desk.seen]).toEqual([200, ['7: ann: hi']])
    const beyond = await served.ask('POST', '/notes/9', JSON_TYPE, '{"author":"ann","message":"hi"}')
    expect([beyond.status, JSON.parse(beyond.body).detail[0].loc]).toEqual([422, ['path', 'board']])
  })
  test.each([
    ['{"author":"","message":"hi"}', 422],
    ['{"author":"ann"}', 422],
    ['{"author":7,"message":"hi"}', 422],
    ['[]', 422],
    ['null', 422],
    ['"text"', 422],
  ])('%s is %s', async (body, status) => {
    desk.seen.length = 0
    expect((await post(body)).status).toBe(status)
    expect(desk.seen).toEqual([])
  })
  test('that is too long is 413', async () => {
    expect((await post(JSON.stringify({ author: 'ann', message: 'x'.repeat(70_000) }))).status).toBe(413)
  })
  test('of another media type is 415', async () => {
    expect((await post('author=ann', { 'content-type': 'text/plain' })).status).toBe(415)
  })
})

test('a page is HTML with its own policy', async () => {
  const { status, headers, body } = await served.ask('GET', '/page?name=Bo')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers['content-security-policy']).toBe("default-src 'self'")
  expect(Buffer.from(body, 'latin1').toString('utf8')).toBe('<p>ü Bo</p>')
  const head = await served.ask('HEAD', '/page')
  expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '13'])
})

test('a pixel is a GIF that nobody keeps, and its handler knows the client', async () => {
  desk.seen.length = 0
  const { status, headers, body } = await served.ask('GET', '/beacon?page=/docs', {
    'x-forwarded-for': '203.0.113.9',
  })
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'image/gif',
    'private, no-store',
  ])
  const bytes = Buffer.from(body, 'latin1')
  expect([bytes.length, bytes.subarray(0, 6).toString(), bytes.at(-1)]).toEqual([42, 'GIF89a', 0x3b])
  expect(desk.seen).toEqual(['203.0.113.9 saw /docs'])
})

test('what caches may keep has a strong tag, 304 for whoever has it, and no Age beyond which it is stale', async () => {
  desk.seen.length = 0
  const first = await served.ask('GET', '/cached')
  const etag = first.headers.etag as string
  expect([first.status, first.headers['cache-control'], first.headers.age]).toEqual([
    200,
    'public, max-age=60',
    undefined,
  ])
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  for (const tag of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
    const same = await served.ask('GET', '/cached', { 'if-none-match': tag })
    expect([same.status, same.body, same.headers.etag]).toEqual([304, '', etag])
    expect([same.headers['cache-control'], same.headers['content-type']]).toEqual([
      'public, max-age=60',
      undefined,
    ])
  }
  expect((await served.ask('GET', '/cached', { 'if-none-match': '"other"' })).status).toBe(200)
  expect((await served.ask('HEAD', '/cached')).headers.etag).toBe(etag)
  desk.seen.push('something')
  const changed = await served.ask('GET', '/cached', { 'if-none-match': etag })
  expect([changed.status, changed.headers.etag === etag]).toEqual([200, false])
  const { paths } = JSON.parse(rendered(served.site, 'document.openapi'))
  expect(Object.keys(paths['/cached'].get.responses)).toContain('304')
})

describe('a limit', () => {
  const ask = (path: string, from: string) => served.ask('GET', path, { 'x-forwarded-for': from })

  test('counts down over all addresses, then refuses until the window ends', async () => {
    const first = await ask('/preview', '198.51.100.1')
    expect(first.headers['ratelimit-policy']).toBe('"previews";q=3;w=60')
    expect(first.headers.ratelimit).toMatch(/^"previews";r=2;t=\d+$/)
    await ask('/preview-again', '198.51.100.1')
    await served.ask('HEAD', '/preview', { 'x-forwarded-for': '198.51.100.1' })
    const over = await ask('/preview', '198.51.100.1')
    expect(over.status).toBe(429)
    expect(JSON.parse(over.body)).toMatchObject({
      code: 'rate_limited',
      detail: 'at most 3 calls a minute from one client',
    })
    expect(over.headers.ratelimit).toMatch(/^"previews";r=0;t=\d+$/)
    const waitS = Number(over.headers['retry-after'])
    expect((await ask('/preview', '198.51.100.2')).status).toBe(200)
    clock.advance((waitS - 1) * 1000)
    expect((await ask('/preview', '198.51.100.1')).status).toBe(429)
    clock.advance(1000)
    expect((await ask('/preview', '198.51.100.1')).status).toBe(200)
  })
  test('is told also where the request is wrong', async () => {
    const { status, headers } = await served.ask('GET', '/preview?n=x', { 'x-forwarded-for': '198.51.100.3' })
    expect([status, headers.ratelimit?.slice(0, 15)]).toEqual([422, '"previews";r=2;'])
  })
  test('stands in the API description', () => {
    const { paths, components } = JSON.parse(rendered(served.site, 'document.openapi'))
    expect(paths['/preview'].get['x-rate-limit']).toEqual({
      calls: 3,
      window_seconds: 60,
      per: 'client',
      text: '3 calls a minute',
    })
    expect(Object.keys(paths['/preview'].get.responses['200'].headers)).toEqual([
      'RateLimit',
      'RateLimit-Policy',
    ])
    expect(components.headers).toHaveProperty('RateLimitPolicy')
  })
})

test('every word of the vocabulary stands in the API description', () => {
  const { paths } = JSON.parse(rendered(served.site, 'document.openapi'))
  const mediaOf = (path: string) => Object.keys(paths[path].get.responses['200'].content)
  expect([mediaOf('/page'), mediaOf('/beacon'), mediaOf('/ticks')]).toEqual([
    ['text/html'],
    ['image/gif'],
    ['text/event-stream'],
  ])
  expect(paths['/order'].post.parameters.map(({ name }: { name: string }) => name)).toEqual([
    'side',
    'size_usd',
  ])
  expect(paths['/order'].post).not.toHaveProperty('requestBody')
  expect(
    Object.keys(paths['/notes/{board}'].post.requestBody.content['application/json'].schema.properties),
  ).toEqual(['author', 'message'])
})
