import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { secret } from '../../src/core/secret.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import type { OracleTick } from '../../src/feeds/events.ts'
import { createPolyBoltFeed } from '../../src/feeds/oracle/polybolt.ts'
import { createStreamGauge } from '../../src/feeds/stream-health.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const TWAP = 'price.crypto.twap'

/** A server on loopback that says only what the test tells it to. */
async function start() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const sockets: WebSocket[] = []
  const received: unknown[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('message', (text) => {
      const { op, ...rest } = JSON.parse(String(text))
      received.push({ op, ...rest })
      if (op === 'auth') socket.send(JSON.stringify({ op: 'authed', rid: 'auth' }))
    })
  })
  const clock = createManualClock(START_MS)
  const ticks: OracleTick[] = []
  const gauge = createStreamGauge(clock, { kind: 'oracle', source: 'polybolt', coin: undefined })
  const aborter = new AbortController()
  const feed = createPolyBoltFeed({
    url: `ws://127.0.0.1:${port}`,
    keys: { apiKey: secret('k'), secret: secret('s'), passphrase: secret('p') },
    clock,
    sink: { oracle: (tick) => ticks.push(tick) },
    gate: createHostGates({ clock, random: () => 0 }).of('ws://127.0.0.1'),
    gauge,
    random: () => 0.5,
    signal: aborter.signal,
    log: pino({ level: 'silent' }),
    openSocket: (url) => new WebSocket(url),
  })
  const running = feed.run()
  onTestFinished(async () => {
    aborter.abort()
    await running
    for (const socket of sockets) socket.terminate()
    server.close()
  })
  const say = (frame: unknown) =>
    sockets.at(-1)?.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  const connections = (count: number) => until(() => sockets.length >= count && received.length >= 2 * count)
  return { clock, ticks, gauge, feed, sockets, received, say, connections }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn()
}

function priceAt(seq: number, second: number, value = 100_000) {
  const payload = {
    symbol: 'btcusd',
    window_seconds: 60,
    timestamp: START_MS - 10_000 + second * 1000,
    value,
  }
  return {
    v: 1,
    channel: TWAP,
    seq,
    ts: START_MS,
    payload: { ...payload, full_accuracy_value: String(value) },
  }
}

function snapshotOf(seq: number, seconds: readonly number[]) {
  const data = seconds.map((second) => ({ timestamp: START_MS - 10_000 + second * 1000, value: 100_000 }))
  return {
    v: 1,
    channel: TWAP,
    seq,
    ts: START_MS,
    snapshot: true,
    payload: { symbol: 'btcusd', window_seconds: 60, data },
  }
}

test('it signs in, subscribes to both prices of every coin, and hands on history and ticks', async () => {
  const { ticks, gauge, received, say, connections } = await start()
  await connections(1)
  expect(received[0]).toMatchObject({ op: 'auth', auth: { apiKey: 'k', secret: 's', passphrase: 'p' } })
  expect(received[1]).toMatchObject({ op: 'subscribe', subscriptions: { length: 8 } })
  say(snapshotOf(1, [0, 1]))
  say(priceAt(2, 2, 100_500))
  await until(() => ticks.length === 3)
  expect(ticks.at(-1)).toEqual({
    coin: 'BTC',
    kind: 'twap_60s',
    price: 100_500,
    source: 'polybolt',
    atMs: START_MS - 8_000,
  })
  expect(gauge.state).toBe('live')
})

test('a hole in the sequence brings a new connection, whose snapshot fills it', async () => {
  const { clock, ticks, gauge, say, connections } = await start()
  await connections(1)
  say(priceAt(1, 1))
  say(priceAt(1, 1))
  say('{"v":1,"channel":')
  say({ ...priceAt(2, 2), payload: { symbol: 'btcusd', timestamp: null, value: 'x' } })
  say(priceAt(3, 3))
  await until(() => gauge.state === 'backoff')
  expect(gauge.read()).toMatchObject({ malformed: 2, duplicates: 1, gapsRepaired: 1 })
  clock.advance(1_000)
  await connections(2)
  say(snapshotOf(1, [1, 2, 3]))
  await until(() => ticks.length === 4)
  expect(ticks.map(({ atMs }) => (atMs - START_MS) / 1000 + 10)).toEqual([1, 1, 2, 3])
})

test('silence on an open socket is a stall', async () => {
  const { clock, gauge, feed, connections } = await start()
  await connections(1)
  clock.advance(9_000)
  feed.check()
  expect(gauge.read().reconnects).toBe(0)
  clock.advance(1_000)
  feed.check()
  await until(() => gauge.read().reconnects === 1)
  clock.advance(1_000)
  await connections(2)
})

test.each([
  [4001, 19_900, 200],
  [4008, 599_000, 1_000],
  [4003, 4_900, 100],
  [1006, 100, 200],
])('after close code %i it waits as long as it should', async (code, tooSoonMs, thenMs) => {
  const { clock, gauge, sockets, connections } = await start()
  await connections(1)
  if (code === 1006) sockets[0]?.terminate()
  else sockets[0]?.close(code)
  await until(() => gauge.state === 'backoff')
  clock.advance(tooSoonMs)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  expect(sockets).toHaveLength(1)
  clock.advance(thenMs)
  await connections(2)
})
