import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { free, wallet } from '../src/catalog/access.ts'
import { defineEventStream, type Listener } from '../src/catalog/endpoints/event-stream.ts'
import type { Group } from '../src/catalog/group.ts'
import { silentLog } from '../src/core/log.ts'
import { createManualClock } from '../src/core/time/manual-clock.ts'
import { createEventStreams, type Events } from '../src/http/respond/event-streams.ts'
import type { AccessChecks } from '../src/http/respond/responder.ts'
import { type Served, serveGroup } from '../src/testing/http/serve-groups.ts'
import { createTicks, type TickServices, ticks } from '../src/testing/http/ticks.ts'
import { createKeptLog } from '../src/testing/kept-log.ts'

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
  for (const wake of desk.ticks.waiters.splice(0)) wake()
  expect(await readUntil('\n\n')).toBe('data: {"tick":8}\n\n')
  end.abort()
  await until(() => desk.ticks.ended === ended + 1)
})
test('a stream that has nothing more to tell ends', async () => {
  const { readUntil } = await open()
  for (const end of desk.ticks.enders.splice(0)) end()
  expect(await readUntil('never')).toMatch(/"tick":2}\n\n \(ended\)$/)
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
  desk.ticks.waiters.length = 0
})
test('the places of streams cannot all be held by one network', () => {
  const streams = createEventStreams({ clock: createManualClock(NOON_MS), log: silentLog })
  /** Ten for each client, from as many clients as it takes. */
  const takeAll = (clientOf: (n: number) => string) => {
    for (let taken = 0; ; taken++) {
      try {
        streams.take(clientOf(Math.floor(taken / 10)))
      } catch (error) {
        return [taken, (error as Error).message]
      }
    }
  }
  const hex = (n: number) => n.toString(16).padStart(4, '0')
  expect(takeAll((n) => `20010db80001${hex(n)}/64`)).toEqual([
    200,
    'at most 200 streams from one network at a time',
  ])
  expect(takeAll((n) => `203.0.113.${n}`)[0]).toBe(200)
  expect(takeAll((n) => `20010db8${hex(2 + n)}0001/64`)).toEqual([1_600, 'at most 2000 streams at a time'])
})
test('a place that is left without a stream is free again', () => {
  const streams = createEventStreams({ clock: createManualClock(NOON_MS), log: silentLog })
  const places = Array.from({ length: 10 }, () => streams.take('a'))
  expect(() => streams.take('a')).toThrow('at most 10 streams from one client at a time')
  places[0]?.leave()
  places[0]?.leave()
  streams.take('a')
  expect(() => streams.take('a')).toThrow('at most 10')
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
    writableLength: 0,
    write: () => true,
    end: vi.fn(),
    destroy: vi.fn(),
  })
  const stop = vi.fn()
  streams.take('a').open(() => stop)(response as unknown as ServerResponse)
  own.advance(3_599_999)
  expect([stop.mock.calls.length, response.end.mock.calls.length]).toEqual([0, 0])
  own.advance(1)
  expect([stop.mock.calls.length, response.end.mock.calls.length]).toEqual([1, 1])
  streams.take('a').open(() => stop)(response as unknown as ServerResponse)
  streams.endAll()
  expect(stop).toHaveBeenCalledTimes(2)
  expect(response.destroy).not.toHaveBeenCalled()
  own.advance(1_000)
  expect(response.destroy).toHaveBeenCalledOnce()
})
test.each([
  ['whose client ended its side', 1_000],
  ['that ended by itself', 30_000],
])('a stream %s is cut off when nobody reads its end', async (which, withinMs) => {
  const own = createManualClock(NOON_MS)
  const streams = createEventStreams({ clock: own, log: silentLog })
  const socket = Object.assign(new EventEmitter(), { readableEnded: false })
  const response = Object.assign(new EventEmitter(), {
    ...{ destroyed: false, closed: false, writableLength: 5, write: () => true, end: vi.fn(), socket },
    destroy: vi.fn(),
  })
  let endIt = () => {}
  const events: Events = ({ end }) => {
    endIt = end
    return () => {}
  }
  streams.take('a').open(events)(response as unknown as ServerResponse)
  if (which === 'that ended by itself') endIt()
  else {
    socket.readableEnded = true
    socket.emit('end')
  }
  expect(response.end).toHaveBeenCalledOnce()
  own.advance(withinMs - 1)
  expect(response.destroy).not.toHaveBeenCalled()
  own.advance(1)
  expect(response.destroy).toHaveBeenCalledOnce()
})
test('a stream whose client reads nothing for 30 s is cut off, and one that reads in between is not', async () => {
  const own = createManualClock(NOON_MS)
  const streams = createEventStreams({ clock: own, log: silentLog })
  const response = Object.assign(new EventEmitter(), {
    ...{ destroyed: false, closed: false, writableLength: 0, write: () => true, end: () => {} },
    destroy: vi.fn(),
  })
  streams.take('a').open(() => () => {})(response as unknown as ServerResponse)
  const waiting = [5, 0, 5, 5]
  for (const bytes of waiting) {
    response.writableLength = bytes
    own.advance(15_000)
  }
  expect(response.destroy).not.toHaveBeenCalled()
  own.advance(15_000)
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

describe('what is told to many', () => {
  type Large = { said: string }
  const listeners = new Set<Listener<Large>>()
  const told: Group<object> = {
    tag: 'told',
    about: 'One event for all.',
    endpoints: [
      defineEventStream({
        ...{ access: free, id: 'test.told', path: '/told', summary: 'The same for everybody' },
        description: 'Made to try what is told to many.',
        params: z.object({}),
        sample: {},
        event: z.object({ said: z.string().max(100_000) }),
        example: { said: 'x' },
        open: (_: object, __, listener) => {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      }),
    ],
  }
  const tell = (event: Large) => {
    for (const { hear } of listeners) hear(event)
  }
  const ownClock = createManualClock(NOON_MS)
  const log = createKeptLog()
  let teller: Served
  beforeAll(async () => {
    teller = await serveGroup(told, {}, { clock: ownClock, log })
  })
  afterAll(() => teller.close())

  /** Asks and never reads. */
  const stare = async () => {
    const socket = connect(Number(new URL(teller.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    socket.write('GET /told HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => listeners.size > 0)
    return socket
  }
  const LARGE = { said: 'x'.repeat(65_536) }
  const WAITS_BYTES = 32 * 1024 * 1024

  test('is checked and encoded once', async () => {
    const viewers = await Promise.all(Array.from({ length: 5 }, () => fetch(`${teller.url}/told`)))
    await until(() => listeners.size === 5)
    let reads = 0
    tell({
      get said() {
        reads++
        return 'hello'
      },
    })
    const last = [...listeners]
    for (const { end } of last) end()
    for (const viewer of viewers) expect(await viewer.text()).toContain('data: {"said":"hello"}')
    expect(reads).toBe(1)
  })

  test('ends, and stops nobody, where it breaks its schema; the log has it once', async () => {
    const viewers = await Promise.all(Array.from({ length: 5 }, () => fetch(`${teller.url}/told`)))
    await until(() => listeners.size === 5)
    tell({ said: 1 as unknown as string })
    expect(listeners.size).toBe(0)
    for (const viewer of viewers) expect(await viewer.text()).toBe('retry: 3000\n\n')
    expect(log.lines).toMatchObject([
      { level: 'error', stream: 'test.told', text: 'an event could not be made' },
    ])
  })

  test('is not kept for who never reads: too much waits', async () => {
    const socket = await stare()
    let sent = 0
    for (; listeners.size > 0 && sent < WAITS_BYTES; sent += LARGE.said.length) {
      tell(LARGE)
      await pause(0)
    }
    expect(listeners.size).toBe(0)
    socket.destroy()
  })

  test('is not kept for who never reads: it waits too long', async () => {
    const socket = await stare()
    // Once the system takes no more, 30 s pass long before too much waits with us; an hour has 240 steps.
    for (let steps = 0; steps < 239 && listeners.size > 0; steps++) {
      tell(LARGE)
      await pause(0)
      ownClock.advance(15_000)
    }
    expect(listeners.size).toBe(0)
    socket.destroy()
  })
})
