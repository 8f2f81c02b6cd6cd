import { afterAll, beforeAll, expect, it } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { connectRecording, heardOne, type Message } from '../../../testing/sandbox/recording-client.ts'
import { type Internet, startInternet } from '../../internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../market/simulated-market.ts'
import { MAX_SUBSCRIPTIONS } from './socket.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
const TWAP = { channel: 'price.crypto.twap', filter: { symbol: 'btcusd', window_seconds: 60 } }
const SPOT = { channel: 'price.crypto', filter: { symbol: 'ethusd' } }
let market: SimulatedMarket
let internet: Internet

beforeAll(async () => {
  market = createSimulatedMarket({
    seed: 'polybolt',
    startMs: START_MS,
    cadence: { bookEveryMs: 1000, tradesPerSecond: 0.1 },
  })
  internet = await startInternet({ market, clock: createManualClock(START_MS) })
})
afterAll(() => internet.close())

async function authed() {
  const client = await connectRecording(internet.urls.POLY_LIVE_WS)
  client.send({ op: 'auth', rid: 'a', auth: internet.credentials })
  expect(await heardOne(client, ({ rid }) => rid === 'a')).toEqual({ op: 'authed', rid: 'a' })
  return client
}

it('sends the last two minutes, then one price a second', async () => {
  const client = await authed()
  client.send({ op: 'subscribe', rid: 's', subscriptions: [TWAP, SPOT] })
  await heardOne(client, ({ snapshot, channel }) => snapshot === true && channel === 'price.crypto')
  await internet.advanceTo(market.nowMs() + 5_000)
  const of = (channel: string) =>
    client.heard.filter((message) => message.channel === channel && message.v === 1)
  type Reading = { timestamp: number; value: number; full_accuracy_value: string }
  const payload = (message: Message | undefined) =>
    message?.payload as Reading & { data?: Reading[]; symbol: string }
  const [snapshot, ...updates] = of('price.crypto.twap')
  const past = payload(snapshot).data ?? []
  const readings = [...past, ...updates.map(payload)]
  expect(past.length).toBe(120)
  expect(updates.length).toBe(5)
  expect(readings.map(({ timestamp }) => timestamp)).toEqual(
    Array.from({ length: 125 }, (_, i) => START_MS - 120_000 + i * 1000),
  )
  for (const { timestamp, value, full_accuracy_value } of readings) {
    expect(value).toBe(market.oracle.at('BTC', timestamp / 1000).twap60Usd)
    expect(Number(full_accuracy_value)).toBe(value)
  }
  expect(of('price.crypto.twap').map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  expect(payload(of('price.crypto').at(-1)).value).toBe(
    market.oracle.at('ETH', market.nowMs() / 1000 - 1).spotUsd,
  )
  client.send({ op: 'unsubscribe', rid: 'u', subscriptions: [TWAP, SPOT] })
  await heardOne(client, ({ op, channel }) => op === 'unsubscribed' && channel === 'price.crypto')
  const before = client.heard.length
  await internet.advanceTo(market.nowMs() + 3_000)
  expect(client.heard.length).toBe(before)
  client.close()
})

it('requires a key, and closes on a wrong one', async () => {
  const client = await connectRecording(internet.urls.POLY_LIVE_WS)
  client.send({ op: 'subscribe', rid: 's', subscriptions: [TWAP] })
  expect(await heardOne(client, ({ rid }) => rid === 's')).toEqual({
    op: 'error',
    code: 'auth_required',
    channel: TWAP.channel,
    rid: 's',
  })
  client.send({ op: 'auth', rid: 'a', auth: { ...internet.credentials, secret: 'wrong' } })
  expect(await client.closed).toBe(4001)
})

it('refuses what it does not know, and answers pings', async () => {
  const client = await authed()
  const ask = async (message: Message) => {
    client.send(message)
    return heardOne(client, ({ rid }) => rid === message.rid)
  }
  expect(await ask({ op: 'ping', rid: 'p' })).toEqual({ op: 'pong', rid: 'p' })
  expect(await ask({ op: 'nope', rid: '1' })).toEqual({ op: 'error', code: 'bad_op', rid: '1' })
  const subscribe = (rid: string, entry: unknown) => ask({ op: 'subscribe', rid, subscriptions: [entry] })
  expect((await subscribe('2', { channel: 'nope' })).code).toBe('bad_channel')
  expect((await subscribe('3', { ...SPOT, filter: { symbol: 'nope' } })).code).toBe('bad_filter')
  expect((await subscribe('4', { ...TWAP, filter: { symbol: 'btcusd', window_seconds: 5 } })).code).toBe(
    'bad_filter',
  )
  expect((await subscribe('5', null)).code).toBe('bad_channel')
  client.close()
})

it('limits the subscriptions of a connection', async () => {
  const client = await authed()
  const subscriptions = Array.from({ length: MAX_SUBSCRIPTIONS }, () => SPOT)
  client.send({ op: 'subscribe', rid: 's', subscriptions })
  client.send({ op: 'subscribe', rid: 'more', subscriptions: [SPOT] })
  expect((await heardOne(client, ({ rid }) => rid === 'more')).code).toBe('too_many_subscriptions')
  expect(client.heard.filter(({ op }) => op === 'subscribed').length).toBe(MAX_SUBSCRIPTIONS)
  client.close()
})

it('closes a connection that keeps trying keys', async () => {
  const client = await authed()
  for (let i = 0; i < 8; i++) client.send({ op: 'auth', auth: internet.credentials })
  expect(await client.closed).toBe(4008)
})
