import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { wallet } from '../src/catalog/access.ts'
import type { Group } from '../src/catalog/group.ts'
import { silentLog } from '../src/core/log.ts'
import { createManualClock } from '../src/core/time/manual-clock.ts'
import { createEventStreams } from '../src/http/respond/event-streams.ts'
import type { AccessChecks } from '../src/http/respond/responder.ts'
import { type Served, serveGroup } from '../src/testing/http/serve-groups.ts'
import { createTicks, type TickServices, ticks } from '../src/testing/http/ticks.ts'

const NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')
const group: Group<TickServices> = { tag: 'ticks', about: 'Numbers as they come.', endpoints: [ticks] }
const clock = createManualClock(NOON_MS)
const desk: TickServices = { ticks: createTicks() }
let served: Served
beforeAll(async () => {
  served = await serveGroup(group, desk, { clock })
})
afterAll(() => served.close())

const open = async (query = '') => {
  const end = new AbortController()
  const response = await fetch(`${served.url}/ticks${query}`, { signal: end.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const readUntil = async (text: string) => {
    let all = ''
    while (!all.includes(text)) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
      if (done) return `${all} (ended)`
      all += value
    }
    return all
  }
  return { response, readUntil, end }
}
const until = async (isTrue: () => boolean) => {
  for (let n = 0; n < 500 && !isTrue(); n++) await pause(10)
  expect(isTrue()).toBe(true)
}

test('an event stream pushes events as they come, and ends when the client goes', async () => {
  const ended = desk.ticks.ended
  const { response, readUntil, end } = await open('?from=5')
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('content-length')).toBeNull()
  expect(await readUntil('"tick":7')).toBe(
    'retry: 3000\n\ndata: {"tick":5}\n\ndata: {"tick":6}\n\ndata: {"tick":7}\n\n',
  )
  clock.advance(15_000)
  expect(await readUntil(':\n\n')).toBe(':\n\n')
  end.abort()
  for (const wake of desk.ticks.waiters.splice(0)) wake(0)
  await until(() => desk.ticks.ended === ended + 1)
})
test('a stream breaks its schema before it begins with 422', async () => {
  expect((await served.ask('GET', '/ticks?from=x')).status).toBe(422)
  expect((await served.ask('HEAD', '/ticks')).status).toBe(200)
})
test('a stream has ten places for a client, which are free again when it goes', async () => {
  const streams = await Promise.all(Array.from({ length: 10 }, () => open()))
  const eleventh = await open()
  expect([eleventh.response.status, eleventh.response.headers.get('retry-after')]).toEqual([429, '5'])
  const [first] = streams
  first?.end.abort()
  let status = 429
  for (let n = 0; n < 500 && status === 429; n++) {
    await pause(10)
    const again = await open()
    status = again.response.status
    again.end.abort()
  }
  expect(status).toBe(200)
  for (const { end } of streams) end.abort()
  for (const wake of desk.ticks.waiters.splice(0)) wake(0)
})
test('a stream leaves no place taken by a client that went before it began', async () => {
  const gone: AccessChecks['wallet'] = async (request) => {
    request.socket.destroy()
    await pause(20)
    return {
      kind: 'wallet',
      client: 'one',
      wallet: '0xb2',
      tier: 'holder',
      token: { id: 'test', expiresMs: 0 },
    }
  }
  const own = { ticks: createTicks() }
  const words = { ...group, endpoints: [{ ...ticks, access: wallet }] }
  const left = await serveGroup(words, own, { checks: { wallet: gone } })
  for (let n = 0; n < 10; n++) await left.ask('GET', '/ticks').catch(() => {})
  await pause(50)
  const begun = Date.now()
  await left.close()
  expect([own.ticks.waiters.length, Date.now() - begun < 5_000]).toEqual([0, true])
})
test('a stream ends after an hour, and is cut off at a stop when nobody reads', async () => {
  const own = createManualClock(NOON_MS)
  const streams = createEventStreams({ clock: own, log: silentLog })
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    closed: false,
    write: () => true,
    end: () => {},
    destroy: vi.fn(),
  })
  const silent = async function* (signal: AbortSignal) {
    await new Promise((done) => signal.addEventListener('abort', done))
    yield ''
  }
  const first = streams.open('a', silent)(response as unknown as ServerResponse)
  own.advance(3_600_000)
  await first
  const second = streams.open('a', silent)(response as unknown as ServerResponse)
  streams.endAll()
  await second
  expect(response.destroy).not.toHaveBeenCalled()
  own.advance(1_000)
  expect(response.destroy).toHaveBeenCalledOnce()
})
test('a stream ends when the service stops, so that it can stop', async () => {
  const own = await serveGroup(group, { ticks: createTicks() })
  const response = await fetch(`${own.url}/ticks`)
  const whole = response.text()
  await pause(50)
  await own.close()
  expect(await whole).toContain('"tick":2')
})
