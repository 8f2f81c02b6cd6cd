import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { FINE, Fine, faultOf, startHostileHost as start } from '../../testing/upstreams/hostile-host.ts'
import type { UpstreamError, UpstreamRequest } from '../upstream.ts'

test('a reply is parsed, and the query is sorted and written', async () => {
  const { ask, asked } = await start()
  expect(await ask({ query: { b: 'two words', a: 1, c: undefined, d: false } })).toEqual({ fine: true })
  expect(asked).toEqual(['GET /base/x?a=1&b=two+words&d=false'])
})

test('a body makes it a POST', async () => {
  const { ask, asked } = await start()
  await ask({ body: [{ token_id: '1' }] })
  expect(asked).toEqual(['POST /base/x [{"token_id":"1"}]'])
})

test('what is sent once is not repeated, however it fails', async () => {
  const { ask, on, outcome, asked } = await start()
  for (const status of [500, 429]) {
    on((response) => response.writeHead(status).end())
    expect(await outcome(ask({ path: `/${status}`, isSentOnce: true }))).toMatchObject({ status })
  }
  expect(asked).toHaveLength(2)
})

test('while the host asks us to wait nothing is sent, and the state says so', async () => {
  const { ask, on, outcome, asked, clock, upstream } = await start()
  on((response) => response.writeHead(429, { 'retry-after': '60' }).end())
  expect(faultOf(await outcome(ask()))).toBe('refused')
  expect(upstream.counters()).toMatchObject({ state: 'refused', limited: 1 })
  await expect(ask({ path: '/y' })).rejects.toMatchObject({ fault: 'busy', retryAfterMs: 60_000 })
  expect(asked).toHaveLength(1)
  on((response) => response.end(FINE))
  clock.advance(60_000)
  expect(await ask()).toEqual({ fine: true })
  expect(upstream.counters().state).toBe('ok')
})

test('a host that stays down is asked once per while, and at once by all when it is back', async () => {
  const { ask, on, outcome, asked, clock, upstream } = await start()
  on((response) => response.writeHead(502).end())
  await outcome(ask())
  expect(upstream.counters().state).toBe('ok')
  // The fifth failure in a row opens it, and the third attempt is not made.
  expect(await outcome(ask())).toMatchObject({ fault: 'down', status: 502 })
  expect([asked.length, upstream.counters().state]).toEqual([5, 'open'])
  expect(faultOf(await outcome(ask()))).toBe('busy')
  expect(asked).toHaveLength(5)
  for (let second = 0; second < 60; second++) {
    clock.advance(1_000)
    await Promise.all(['/a', '/b', '/c'].map((path) => ask({ path }).catch(() => {})))
  }
  expect(asked.length).toBeLessThan(16)
  on((response) => response.end(FINE))
  clock.advance(15_000)
  const all = await Promise.all(['/a', '/b'].map((path) => ask({ path }).catch(faultOf)))
  expect(all).toEqual([{ fine: true }, 'busy'])
  expect(await ask({ path: '/b' })).toEqual({ fine: true })
  expect(upstream.counters().state).toBe('ok')
})

test('a provider that goes down is one line with its first cause, and one more when that is over', async () => {
  const { ask, on, outcome, clock, upstream, log } = await start()
  const host = expect.stringMatching(/^127/)
  on((response) => response.writeHead(404).end())
  await outcome(ask())
  expect(log.lines).toEqual([])
  on((response) => response.writeHead(503).end())
  for (let each = 0; each < 3; each++) await outcome(ask())
  on((response) => response.end('oops'))
  clock.advance(15_000)
  await outcome(ask())
  expect(upstream.counters().state).toBe('open')
  expect(faultOf(await outcome(ask()))).toBe('busy')
  const where = { provider: 'gamma', channel: 'rest', host, cause: 'GET /x: answered 503' }
  expect(log.lines).toEqual([{ level: 'warn', text: 'a venue is down', ...where }])
  clock.advance(15_000)
  on((response) => response.end(FINE))
  await ask()
  upstream.check()
  expect(log.lines.slice(1)).toEqual([
    { level: 'info', text: 'a venue is well again', ...where, downMs: expect.any(Number) },
  ])
  upstream.check()
  expect(log.lines).toHaveLength(2)
})

test('five malformed replies in a row open it too, and one good one starts the count anew', async () => {
  const { ask, on, outcome, upstream } = await start()
  const malformed = async (count: number) => {
    on((response) => response.end('oops'))
    for (let each = 0; each < count; each++) await outcome(ask())
  }
  await malformed(4)
  on((response) => response.end(FINE))
  await ask()
  await malformed(4)
  expect(upstream.counters().state).toBe('ok')
  await malformed(1)
  expect(upstream.counters().state).toBe('open')
  expect(faultOf(await outcome(ask()))).toBe('busy')
})

test('equal requests at the same time are one, whatever the order of their query', async () => {
  const { ask, asked, upstream } = await start()
  const Other = Fine.extend({})
  const replies = await Promise.all([
    ask({ query: { a: 1, b: 2 } }),
    ask({ query: { b: 2, a: 1 } }),
    ask({ query: { a: 1, b: 3 } }),
    ask({ query: { a: 1, b: 2 }, body: [] }),
    upstream.ask({ path: '/x', query: { a: 1, b: 2 }, schema: Other }),
  ])
  expect(replies).toEqual(Array(5).fill({ fine: true }))
  expect(asked).toHaveLength(4)
  await ask({ query: { a: 1, b: 2 } })
  expect(asked).toHaveLength(5)
})

test.each<Partial<UpstreamRequest<typeof Fine>>>([
  { path: '' },
  { path: 'x' },
  { path: '//evil.example/x' },
  { path: '/../x' },
  { path: '/a/%2e%2e/b' },
  { path: '/a b' },
  { path: '/a?b=c' },
  { path: '/a#b' },
  { path: '/a\\b' },
  { path: '/é' },
  { query: { a: Number.NaN } },
  { query: { a: Number.POSITIVE_INFINITY } },
  { body: { a: 1n } },
])('%o is not sent', async (request) => {
  const { ask, asked } = await start()
  await expect(ask(request)).rejects.toMatchObject({ name: 'UpstreamError', fault: 'busy' })
  expect(asked).toEqual([])
})

test('whatever a schema throws is a malformed reply', async () => {
  const { upstream } = await start()
  const Thrower = z.unknown().transform(() => {
    throw new RangeError('a bug')
  })
  await expect(upstream.ask({ path: '/x', schema: Thrower })).rejects.toMatchObject({ fault: 'malformed' })
})

test('what waits too long for room, or behind too many, is refused, and the rest goes in time', async () => {
  const { upstream, asked, until, clock } = await start({
    limits: [{ path: '/slow', count: 1, perMs: 4_000 }],
  })
  const outcomes: string[] = []
  const ask = (path: string) =>
    upstream.ask({ path, schema: Fine }).then(
      () => outcomes.push(`${path} fine`),
      (error: UpstreamError) => outcomes.push(`${path} ${error.fault} ${error.message}`),
    )
  for (const path of ['/slow/1', '/slow/2', '/slow/3', '/quick']) ask(path)
  await until(() => outcomes.length === 2)
  expect(outcomes.sort()).toEqual(['/quick fine', '/slow/1 fine'])
  clock.advance(4_000)
  expect(asked).toHaveLength(2)
  clock.advance(1)
  await until(() => asked.length === 3)
  clock.advance(999)
  await until(() => outcomes.length === 4)
  expect(outcomes.slice(2).sort()).toEqual([
    '/slow/2 fine',
    '/slow/3 busy gamma: its limits left no room for 5 s',
  ])
  expect(upstream.counters()).toMatchObject({ limited: 1, requests: 3 })
  for (let each = 0; each < 201; each++) ask(`/slow/${each}`)
  await until(() => outcomes.length === 5)
  expect(outcomes[4]).toBe('/slow/200 busy gamma: too many requests are waiting for it')
})

test('no more than 24 are under way at once', async () => {
  const { ask, on, until, asked } = await start({ limits: [] })
  const open: ServerResponse[] = []
  on((response) => open.push(response))
  const asking = Array.from({ length: 30 }, (_, each) => ask({ path: `/${each}` }))
  await until(() => open.length === 24)
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  expect(asked).toHaveLength(24)
  on((response) => response.end(FINE))
  for (const response of open) response.end(FINE)
  expect(await Promise.all(asking)).toHaveLength(30)
})

test('the last error names no host and no address, and is short', async () => {
  const { ask, on, outcome, upstream, server } = await start()
  on((response) => response.end(JSON.stringify({ fine: 1 })))
  await outcome(upstream.ask({ path: `/${'x'.repeat(500)}`, schema: Fine }))
  expect(upstream.counters().lastError).toHaveLength(160)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await outcome(ask())
  expect(upstream.counters().lastError).toBe('down: ECONNREFUSED')
})

test('close ends what is under way and what waits, and refuses new requests', async () => {
  const { ask, on, until, asked, upstream } = await start({
    limits: [{ path: '/w', count: 1, perMs: 60_000 }],
  })
  on(() => {})
  const asking = ['/x', '/w', '/w/2'].map((path) => ask({ path }).catch(faultOf))
  await until(() => asked.length === 2)
  upstream.close()
  expect(await Promise.all(asking)).toEqual(['busy', 'busy', 'busy'])
  await expect(ask()).rejects.toMatchObject({ fault: 'busy' })
  expect(upstream.counters().failures).toBe(0)
})
