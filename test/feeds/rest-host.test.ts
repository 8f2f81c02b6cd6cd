import { expect, test } from 'vitest'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { createRestHost } from '../../src/feeds/venues/rest-host.ts'
import { failureOf, startLoopbackVenue, until } from './loopback-venue.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

async function start(allowance?: { burst: number; perSecond: number }) {
  const venue = await startLoopbackVenue()
  const clock = createManualClock(START_MS)
  const host = createRestHost({ baseUrl: venue.restUrl, clock, allowance })
  return { ...venue, clock, host, get: (cost = 1) => host.get('/x', { a: 1, b: 'two words' }, cost) }
}

test('it asks with its query and a user agent, and returns JSON', async () => {
  const { get, know, asked } = await start()
  know({ fine: true })
  expect(await get()).toEqual({ fine: true })
  expect(asked[0]?.search).toBe('?a=1&b=two+words')
})

test.each([
  [429, '30', 30_000],
  [418, '120', 120_000],
  [429, new Date(START_MS + 5_000).toUTCString(), 5_000],
  [429, undefined, 10_000],
  [429, 'soon', 10_000],
  [429, '-5', 10_000],
])('after %d with Retry-After %s nothing is asked for %d ms', async (status, retryAfter, holdMs) => {
  const { get, know, asked, clock, onAsked } = await start()
  onAsked((_, response) =>
    response.writeHead(status, retryAfter ? { 'retry-after': retryAfter } : {}).end('{}'),
  )
  await expect(get()).rejects.toThrow(String(status))
  know([])
  await expect(get()).rejects.toThrow('refuses requests')
  clock.advance(holdMs - 1)
  await expect(get()).rejects.toThrow('for another 1 s')
  expect(asked).toHaveLength(1)
  clock.advance(1)
  expect(await get()).toEqual([])
})

test('a request that was waiting its turn when the host refused is not sent', async () => {
  const { get, asked, clock, onAsked } = await start({ burst: 1, perSecond: 1 })
  onAsked((_, response) => response.writeHead(429, { 'retry-after': '60' }).end())
  const [first, second] = [failureOf(get()), failureOf(get())]
  expect(String(await first)).toContain('429')
  clock.advance(1_000)
  expect(String(await second)).toContain('refuses requests')
  expect(asked).toHaveLength(1)
})

test('requests keep to the allowance, in order, and do not pile up', async () => {
  const { get, know, asked, clock } = await start({ burst: 10, perSecond: 5 })
  know([])
  await get(10)
  const waiting = get(5)
  await Promise.resolve()
  expect(asked).toHaveLength(1)
  await expect(get(1_000)).rejects.toThrow('too many requests')
  clock.advance(999)
  expect(asked).toHaveLength(1)
  clock.advance(1)
  await waiting
  expect(asked).toHaveLength(2)
})

test.each([
  ['broken JSON', 200, '[1,2'],
  ['a page', 200, '<html>'],
  ['an error', 500, '[]'],
  ['a redirect', 302, ''],
  ['too much', 200, `[${'1,'.repeat(2.5 * 1024 * 1024)}1]`],
])('%s rejects', async (_, status, body) => {
  const { get, onAsked } = await start()
  onAsked((_url, response) => response.writeHead(status, { location: '/elsewhere' }).end(body))
  await expect(get()).rejects.toThrow()
})

test('close ends what is under way', async () => {
  const { get, host, onAsked, asked } = await start()
  onAsked(() => {})
  const hanging = failureOf(get())
  await until(() => asked.length === 1)
  host.close()
  expect(await hanging).toBeInstanceOf(Error)
  await expect(get()).rejects.toThrow('closed')
})
