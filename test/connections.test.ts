import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { free } from '../src/catalog/access.ts'
import { defineEndpoint } from '../src/catalog/endpoints/endpoint.ts'
import type { Group } from '../src/catalog/group.ts'
import { createManualClock } from '../src/core/time/manual-clock.ts'
import { MAX_WAITING } from '../src/http/connection/one-at-a-time.ts'
import { type Served, serveGroup } from '../src/testing/http/serve-groups.ts'
import { createKeptLog } from '../src/testing/kept-log.ts'

const NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')

/** A handler says that it began and waits until it is let go. */
type Desk = { begun: string[]; letGo: Map<string, () => void>; onBegin: () => void; largeChars: number }

const named = z.object({ name: z.string() })
const common = {
  method: 'GET',
  access: free,
  summary: 'Made for this test',
  description: 'Made to try what one connection can do.',
} as const
const group: Group<Desk> = {
  tag: 'waits',
  about: 'What takes its time.',
  endpoints: [
    defineEndpoint({
      ...common,
      id: 'test.wait',
      path: '/wait/{name}',
      params: named,
      sample: { name: 'a' },
      response: named,
      example: { name: 'a' },
      handle: async (desk: Desk, { name }) => {
        desk.begun.push(name)
        desk.onBegin()
        await new Promise<void>((resolve) => desk.letGo.set(name, resolve))
        return { name }
      },
    }),
    defineEndpoint({
      ...common,
      id: 'test.now',
      path: '/now/{name}',
      params: named,
      sample: { name: 'a' },
      response: named,
      example: { name: 'a' },
      handle: (desk: Desk, { name }) => {
        desk.begun.push(name)
        desk.onBegin()
        return { name }
      },
    }),
    defineEndpoint({
      ...common,
      id: 'test.large',
      path: '/large/{name}',
      params: named,
      sample: { name: 'a' },
      response: z.object({ text: z.string() }),
      example: { text: 'a' },
      handle: (desk: Desk, { name }) => {
        desk.begun.push(name)
        return { text: name.repeat(desk.largeChars) }
      },
    }),
    defineEndpoint({
      ...common,
      id: 'test.post',
      method: 'POST',
      path: '/posted',
      paramsIn: 'body',
      params: named,
      sample: { name: 'a' },
      response: named,
      example: { name: 'a' },
      handle: (desk: Desk, { name }) => {
        desk.begun.push(name)
        return { name }
      },
    }),
  ],
}

let desk: Desk
let served: Served
const clock = createManualClock(NOON_MS)
const log = createKeptLog()
const cutOffs = () => log.lines.filter(({ text }) => text === 'connections are refused or cut off')
const sockets: Socket[] = []
beforeEach(async () => {
  desk = { begun: [], letGo: new Map(), onBegin: () => {}, largeChars: 1 }
  served = await serveGroup(group, desk, { clock, log })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await served.close()
})

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const CLOSE = 'Connection: close\r\n'

function open(text: string) {
  const socket = connect({ port: Number(new URL(served.url).port), host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  let said = ''
  const heard = new Set<() => void>()
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    said += chunk.toString('latin1')
    for (const hear of heard) hear()
  })
  socket.write(text)
  return {
    socket,
    said: () => said,
    until: (isThere: (said: string) => boolean) =>
      new Promise<void>((resolve) => {
        const hear = () => void (isThere(said) && resolve())
        heard.add(hear)
        hear()
      }),
    /** However the other side ends it. */
    ended: new Promise<void>((resolve) => void socket.once('end', resolve).once('close', resolve)),
  }
}
const untilBegun = (name: string) =>
  new Promise<void>((resolve) => {
    desk.onBegin = () => void (desk.begun.includes(name) && resolve())
    desk.onBegin()
  })
const namesIn = (said: string) => [...said.matchAll(/\{"name":"(\w+)"\}/g)].map(([, name]) => name)
const statusesIn = (said: string) =>
  [...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
/** Requests of others that the server answers meanwhile show that it has read what came before them. */
const othersAsk = async () => {
  for (let n = 0; n < 3; n++) expect((await served.ask('GET', '/now/other')).status).toBe(200)
  desk.begun = desk.begun.filter((name) => name !== 'other')
}

describe('requests that one connection sends together', () => {
  test('begin one after the other, each when the reply before it is out', async () => {
    const client = open(ask('/wait/a') + ask('/wait/b') + ask('/now/c', CLOSE))
    await untilBegun('a')
    await othersAsk()
    expect(desk.begun).toEqual(['a'])
    desk.letGo.get('a')?.()
    await untilBegun('b')
    await client.until((said) => said.includes('"a"'))
    expect(desk.begun).toEqual(['a', 'b'])
    desk.letGo.get('b')?.()
    await client.ended
    expect(namesIn(client.said())).toEqual(['a', 'b', 'c'])
  })

  test('leave their turn to others, also where replies are made at once', async () => {
    const many = Array.from({ length: MAX_WAITING }, (_, n) => ask(`/now/m${n}`)).join('')
    const begunInATurn = new Promise<number>((resolve) => {
      desk.onBegin = () => {
        desk.onBegin = () => {}
        setImmediate(() => resolve(desk.begun.length))
      }
    })
    const client = open(many + ask('/now/last', CLOSE))
    expect(await begunInATurn).toBeLessThanOrEqual(2)
    await client.ended
    expect(namesIn(client.said())).toHaveLength(MAX_WAITING + 1)
  })

  test('are not begun while the reply before them is not read', async () => {
    desk.largeChars = 40_000_000
    const client = open('')
    client.socket.pause()
    client.socket.write(ask('/large/x') + ask('/now/after', CLOSE))
    while (!desk.begun.includes('x')) await served.ask('GET', '/now/other')
    await othersAsk()
    expect(desk.begun).toEqual(['x'])
    client.socket.resume()
    await client.ended
    expect(desk.begun).toEqual(['x', 'after'])
    expect(namesIn(client.said())).toEqual(['after'])
    expect(client.said().length).toBeGreaterThan(40_000_000)
  })

  test('are cut off where too many wait, and none of those is begun', async () => {
    const client = open(ask('/wait/a') + 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(MAX_WAITING + 1))
    await client.ended
    desk.letGo.get('a')?.()
    await othersAsk()
    expect([client.said(), desk.begun]).toEqual(['', ['a']])
    expect(cutOffs().at(-1)).toMatchObject({ too_many_waiting: 1 })
  })

  test('are not read on while they wait, so that more of them may come', async () => {
    const names = Array.from({ length: 4 * MAX_WAITING }, (_, n) => `m${n}`)
    const client = open(ask('/wait/a') + names.map((name) => ask(`/now/${name}`)).join(''))
    await untilBegun('a')
    await othersAsk()
    desk.letGo.get('a')?.()
    await client.until((said) => namesIn(said).length === names.length + 1)
    expect(namesIn(client.said())).toEqual(['a', ...names])
  })

  test('as many as may wait are all answered, twice', async () => {
    const names = Array.from({ length: MAX_WAITING }, (_, n) => `m${n}`)
    const many = names.map((name) => ask(`/now/${name}`)).join('')
    const client = open(many)
    await client.until((said) => namesIn(said).length === names.length)
    client.socket.write(many)
    await client.until((said) => namesIn(said).length === 2 * names.length)
    expect(namesIn(client.said())).toEqual([...names, ...names])
  })

  test('bring bodies along, before and after others', async () => {
    const post = (name: string, more = '') => {
      const body = JSON.stringify({ name })
      return `POST /posted HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
    }
    const half = post('late', CLOSE)
    const client = open(
      ask('/wait/a') + post('b') + post('c', 'Expect: 100-continue\r\n') + half.slice(0, -5),
    )
    await untilBegun('a')
    await othersAsk()
    expect(desk.begun).toEqual(['a'])
    desk.letGo.get('a')?.()
    await client.until((said) => said.includes('"c"'))
    client.socket.write(half.slice(-5))
    await client.ended
    expect(namesIn(client.said())).toEqual(['a', 'b', 'c', 'late'])
    expect(statusesIn(client.said())).toEqual([200, 200, 100, 200, 200])
  })

  test('are not begun after one that closes the connection, nor where the client has gone', async () => {
    const client = open(ask('/wait/a', CLOSE) + ask('/now/b'))
    await untilBegun('a')
    desk.letGo.get('a')?.()
    await client.ended
    const gone = open(ask('/wait/c') + ask('/now/d'))
    await untilBegun('c')
    gone.socket.resetAndDestroy()
    desk.letGo.get('c')?.()
    await othersAsk()
    expect(desk.begun).toEqual(['a', 'c'])
    expect(namesIn(client.said())).toEqual(['a'])
  })

  test('are answered before something that cannot be read is refused', async () => {
    const client = open(`${ask('/wait/a') + ask('/now/b')}garbage\r\n\r\n`)
    await untilBegun('a')
    await othersAsk()
    expect(client.said()).toBe('')
    desk.letGo.get('a')?.()
    await client.ended
    expect(namesIn(client.said())).toEqual(['a', 'b'])
    expect(statusesIn(client.said())).toEqual([200, 200, 400])
  })
})

describe('a reply that is not read', () => {
  const openDeaf = async () => {
    const client = open('')
    client.socket.pause()
    client.socket.write(ask('/large/x'))
    while (!desk.begun.includes('x')) await served.ask('GET', '/now/other')
    return client
  }

  test('is given up after half a minute without progress', async () => {
    desk.largeChars = 40_000_000
    const client = await openDeaf()
    const before = cutOffs().length
    clock.advance(29_999)
    await othersAsk()
    expect(cutOffs()).toHaveLength(before)
    clock.advance(5_001)
    client.socket.resume()
    await client.ended
    expect(client.said().length).toBeLessThan(40_000_000)
    expect(cutOffs().at(-1)).toMatchObject({ not_reading: 1 })
  })

  test('is kept for who reads a little now and then', async () => {
    desk.largeChars = 40_000_000
    const before = cutOffs().length
    const client = await openDeaf()
    for (let n = 0; n < 8; n++) {
      clock.advance(25_000)
      const readBefore = client.socket.bytesRead
      client.socket.resume()
      // More than the system may hold for both ends, so that something must have left the process.
      while (client.socket.bytesRead - readBefore < 4_000_000) await once(client.socket, 'data')
      client.socket.pause()
      await othersAsk()
    }
    client.socket.resume()
    while (client.socket.bytesRead <= desk.largeChars) await once(client.socket, 'data')
    expect(cutOffs()).toHaveLength(before)
  })
})
