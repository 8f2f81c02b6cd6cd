import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { noteRefusal, openSocket } from '../../src/feeds/open-socket.ts'
import { createRestHost } from '../../src/feeds/venues/rest-host.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'
import { failureOf, startLoopbackVenue, until } from './loopback-venue.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
/** The venue's clock is ahead of ours. */
const VENUE_DATE = new Date(START_MS + 90_000).toUTCString()

async function start(allowance?: { burst: number; perSecond: number }) {
  const venue = await startLoopbackVenue()
  const clock = createManualClock(START_MS)
  const gate = createHostGates({ clock, random: () => 0 }).of(venue.restUrl)
  const host = createRestHost({ baseUrl: venue.restUrl, clock, gate, allowance })
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
  [429, new Date(START_MS + 90_000 + 5_000).toUTCString(), 5_000],
  [429, new Date(START_MS - 5_000).toUTCString(), 10_000],
  [429, '0', 1_000],
  [429, ' 7 ', 7_000],
  [418, '259200', 3_600_000],
  [429, '9'.repeat(400), 3_600_000],
  [429, '20.5', 21_000],
  [429, '15, 20', 15_000],
  [429, '1e3', 10_000],
  [429, undefined, 10_000],
  [429, 'soon', 10_000],
  [429, '-5', 10_000],
])('after %d with Retry-After %s nothing is asked for %d ms', async (status, retryAfter, holdMs) => {
  const { get, know, asked, clock, onAsked } = await start()
  onAsked((_, response) =>
    response
      .writeHead(status, { date: VENUE_DATE, ...(retryAfter && { 'retry-after': retryAfter }) })
      .end('{}'),
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

test('every request to a host obeys, whoever was refused, and those that waited their turn too', async () => {
  const venue = await startLoopbackVenue()
  const clock = createManualClock(START_MS)
  const gates = createHostGates({ clock, random: () => 0 })
  const hosts = [0, 1, 2].map(() =>
    createRestHost({ baseUrl: venue.restUrl, clock, gate: gates.of(venue.restUrl), allowance: undefined }),
  )
  let isRefusing = true
  venue.onAsked((_, response) => {
    if (isRefusing) response.writeHead(429, { 'retry-after': '30' })
    response.end('[]')
  })
  const askAll = () =>
    Promise.all(hosts.flatMap((host) => [1, 2, 3, 4].map(() => failureOf(host.get('/x', {}, 1)))))
  expect((await askAll()).filter(Boolean)).toHaveLength(12)
  expect(venue.asked).toHaveLength(1)
  for (let second = 0; second < 30; second++) {
    await askAll()
    clock.advance(1_000)
  }
  expect(venue.asked).toHaveLength(1)
  isRefusing = false
  expect((await askAll()).filter(Boolean)).toEqual([])
  expect(venue.asked).toHaveLength(13)
})

test('a handshake that is refused with 429 holds up requests and handshakes to that host', async () => {
  const clock = createManualClock(START_MS)
  const gate = createHostGates({ clock, random: () => 0 }).of('ws://127.0.0.1')
  const server = createServer().on('upgrade', (_, socket) =>
    socket.end('HTTP/1.1 429 Too Many Requests\r\nretry-after: 20\r\nconnection: close\r\n\r\n'),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const socket = openSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, 1_000)
  socket.on('error', () => {})
  noteRefusal(socket, gate)
  await new Promise((resolve) => socket.on('close', resolve))
  expect(gate.check).toThrow('for another 20 s')
  clock.advance(20_000)
  expect(gate.check).not.toThrow()
})

test('the time that was named is exceeded a little, by another share in every process', () => {
  const clock = createManualClock(START_MS)
  const gate = createHostGates({ clock, random: () => 0.5 }).of('http://one.example')
  gate.note({ status: 429, retryAfter: '20', date: undefined })
  clock.advance(20_999)
  expect(gate.check).toThrow('one.example refuses requests')
  clock.advance(1)
  expect(gate.check).not.toThrow()
})

test('one host’s refusal is nothing to another, nor to another upstream on the same host', () => {
  const clock = createManualClock(START_MS)
  const gates = createHostGates({ clock, random: () => 0 })
  gates.of('https://one.example/a/').note({ status: 418, retryAfter: '20', date: undefined })
  expect(gates.of('wss://one.example/a').check).toThrow()
  for (const other of ['https://two.example', 'https://one.example/b'])
    expect(gates.of(other).check).not.toThrow()
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
