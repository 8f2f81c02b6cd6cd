import { beforeEach, expect, test } from 'vitest'
import type { Listener } from '../../../catalog/endpoints/event-stream.ts'
import { silentLog } from '../../../core/log.ts'
import { ServiceError } from '../../../core/service-error.ts'
import { createManualClock, type ManualClock } from '../../../core/time/manual-clock.ts'
import { botServices, botStatusAt, publicBot, resultsOver } from '../../../testing/products/hand-made-bot.ts'
import { windowMarketAt } from '../../../testing/products/hand-made-prediction.ts'
import { signalAt, signalsOf } from '../../../testing/products/hand-made-signals.ts'
import { createLive, type Live, type LivePorts } from './live.ts'
import { LiveEvent } from './live-event.ts'

const NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')
const NOON_S = NOON_MS / 1000

let clock: ManualClock
let ports: LivePorts
/** Of one second each, so that a number in a text tells when it was said. */
const probabilityAt = (ms: number) => (1000 + ((ms / 1000) % 1000)) / 10_000
const imbalanceAt = (ms: number) => (3000 + ((ms / 1000) % 1000)) / 10_000
const oddsAt = (ms: number) => (6000 + ((ms / 1000) % 1000)) / 10_000

beforeEach(() => {
  clock = createManualClock(NOON_MS)
  const { tour: _tour, live: _live, ...services } = botServices(clock)
  const signal = () => {
    const made = signalAt('BTC', clock.now(), probabilityAt(clock.now()))
    return { ...made, indicators: { ...made.indicators, bookImbalance: imbalanceAt(clock.now()) } }
  }
  const fiveMinute = {
    open: () => {
      const odds = oddsAt(clock.now())
      return windowMarketAt('BTC', clock.now(), { up: { bids: [[odds, 9]], asks: [[odds, 9]] } })
    },
  }
  ports = { ...services, fiveMinute, signals: signalsOf(signal), log: silentLog }
})

const tick = (atS: number, price: number) =>
  ports.market.sink.oracle({ coin: 'BTC', kind: 'twap_60s', price, atMs: atS * 1000, source: 'polybolt' })
const follow = (live: Live) => {
  const heard: LiveEvent[] = []
  const listener: Listener<LiveEvent> = { hear: (event) => void heard.push(LiveEvent.parse(event)), end() {} }
  return { heard, stop: live.listen(listener) }
}
const settle = () => new Promise((done) => setImmediate(done))

test('everything comes first, then once a second what has changed', () => {
  tick(NOON_S - 1, 100_000)
  const live = createLive(ports)
  const { heard, stop } = follow(live)
  expect(heard).toMatchObject([{ snapshot: true, price: [[NOON_S - 1, 100_000]], delayed: [] }])
  expect(heard[0]?.window).toEqual({ window_start: NOON_S, window_end: NOON_S + 300, open_price_usd: null })
  tick(NOON_S, 100_001)
  clock.advance(500)
  expect(heard).toHaveLength(1)
  clock.advance(500)
  tick(NOON_S + 1, 100_002)
  clock.advance(1000)
  clock.advance(1000)
  expect(heard.slice(1).map(({ snapshot, price, window }) => [snapshot, price, window])).toEqual([
    [
      false,
      [
        [NOON_S - 1, 100_000],
        [NOON_S, 100_001],
      ],
      { window_start: NOON_S, window_end: NOON_S + 300, open_price_usd: 100_001 },
    ],
    [false, [[NOON_S + 1, 100_002]], undefined],
    [false, [], undefined],
  ])
  stop()
  clock.advance(5000)
  expect(heard).toHaveLength(4)
})

test('all who listen hear the same object, and a snapshot is one object until the next second', () => {
  const live = createLive(ports)
  const heard: unknown[] = []
  const hear = (event: LiveEvent) => void heard.push(event)
  for (let n = 0; n < 3; n++) live.listen({ hear, end() {} })
  clock.advance(1000)
  expect(new Set(heard).size).toBe(2)
  expect(live.now()).toBe(live.now())
  const before = live.now()
  clock.advance(1000)
  expect(live.now()).not.toBe(before)
})

test('what is sold leaves five minutes late, not a second earlier', () => {
  const live = createLive(ports)
  const { heard } = follow(live)
  const read = () =>
    new Set(
      JSON.stringify([heard, live.now()])
        .match(/\d+\.\d+/g)
        ?.map(Number),
    )
  for (let s = 1; s <= 700; s++) {
    clock.advance(1000)
    const nowMs = clock.now()
    const numbers = read()
    for (const ageS of [0, 1, 10, 150, 298, 299]) {
      const ms = nowMs - ageS * 1000
      if (ms <= NOON_MS) continue
      for (const sold of [probabilityAt(ms), imbalanceAt(ms), oddsAt(ms)])
        expect(numbers.has(sold), `a value of ${ageS} s ago`).toBe(false)
    }
    const newest = live.now().delayed.at(-1)
    if (s <= 300) expect(newest).toBeUndefined()
    else {
      const ms = nowMs - 300_000
      expect(newest).toEqual([ms / 1000, probabilityAt(ms), oddsAt(ms), imbalanceAt(ms)])
    }
    heard.length = 0
  }
  expect(live.now().delayed).toHaveLength(400)
})

test('memory is bounded: two windows are told', () => {
  const live = createLive(ports)
  clock.advance(4000 * 1000)
  expect(live.now().delayed.length).toBeLessThanOrEqual(600)
})

test('a signal that is stale is not told as one', () => {
  ports.signals = signalsOf(() => signalAt('BTC', NOON_MS))
  const live = createLive(ports)
  clock.advance(320_000)
  const known = live.now().delayed.map(([second, probability]) => [second - NOON_S, probability])
  expect(known.slice(8, 12)).toEqual([
    [9, 0.6],
    [10, 0.6],
    [11, null],
    [12, null],
  ])
})

test('the breaker is told within seconds, and figures that cannot be read are null', async () => {
  ports.results = await resultsOver(clock, [])
  let isOpen = false
  const breaker = () => ({ isOpen, reason: undefined, sinceMs: NOON_MS, consecutiveLosses: 5 })
  ports.bot = publicBot(clock, {
    status: () => botStatusAt(clock.now(), { state: isOpen ? 'stopped' : 'running', breaker: breaker() }),
  })
  const live = createLive(ports)
  await settle()
  clock.advance(1000)
  expect(live.now().bot).toMatchObject({ state: 'running', now: { breaker: { open: false } } })
  const { heard } = follow(live)
  isOpen = true
  clock.advance(4000)
  await settle()
  clock.advance(1000)
  expect(heard.at(-1)?.bot).toMatchObject({ state: 'stopped', now: { breaker: { open: true } } })
  ports.bot.status = () => {
    throw new ServiceError('upstream_unavailable', 'made up')
  }
  clock.advance(5000)
  await settle()
  clock.advance(1000)
  expect(heard.at(-1)).toHaveProperty('bot', null)
})
