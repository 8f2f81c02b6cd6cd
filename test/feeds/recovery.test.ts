import { describe, expect, test } from 'vitest'
import type { ProviderName } from '../../src/config/providers.ts'
import { COINS } from '../../src/core/coin.ts'
import { PRICE_KINDS } from '../../src/feeds/events.ts'
import type { FeedsHealth } from '../../src/feeds/feeds.ts'
import type { Channel, Outage, OutageKind } from '../../src/sandbox/providers/outages.ts'
import { searchSize } from '../../src/testing/search-size.ts'
import { compareWithVenue } from './venue-truth.ts'
import { openWorld, START_MS, type World } from './world.ts'

/** Two minutes before a window opens, so that its opening price is known at the end. */
const LATER_MS = START_MS + 13 * 60_000 + 5_000
/** Busy enough that every pair trades within a few seconds. */
const CADENCE = { bookEveryMs: 1_000, tradesPerSecond: 5 }
const STEP_MS = 1_000
/** Every source is back within this of its upstream, whatever it met. */
const RECOVERS_WITHIN_MS = 30_000
/** Attempts a minute that a venue may see while it is down: four coins, each with trades, book and candles. */
const MAX_REQUESTS_PER_MIN = 120
const MAX_HANDSHAKES_PER_MIN = 20

type Upstream = { provider: ProviderName; channels: readonly Channel[] }
const UPSTREAMS: readonly Upstream[] = [
  { provider: 'binance', channels: ['rest'] },
  { provider: 'binance', channels: ['socket'] },
  { provider: 'binance', channels: ['rest', 'socket'] },
  { provider: 'coinbase', channels: ['rest'] },
  { provider: 'coinbase', channels: ['socket'] },
  { provider: 'coinbase', channels: ['rest', 'socket'] },
  { provider: 'polybolt', channels: ['socket'] },
]
const KINDS: readonly OutageKind[] = [
  'reset',
  'hang',
  'silent',
  'error',
  'html',
  'truncate',
  'wrong_types',
  'empty',
]
const OUTAGES: readonly Outage[] = [
  ...KINDS.map((kind) => ({ kind })),
  { kind: 'limit', retryAfter: '5' },
  { kind: 'limit', status: 418 },
]
const CASES = UPSTREAMS.flatMap((upstream) => OUTAGES.map((outage) => ({ ...upstream, ...outage, outage })))
/** In every run of the tests each kind of failure and each upstream is met; `npm run search` tries them all. */
const SHARE = CASES.filter((_, at) => at % searchSize('outage-step') === 0)
/** A share is met half at the start and half later; all of them are met both ways. */
const isAll = SHARE.length === CASES.length
const AT_START = SHARE.filter((_, at) => isAll || at % 2 === 0)
const LATER = SHARE.filter((_, at) => isAll || at % 2 === 1)

test('the share meets every upstream and every kind of failure', () => {
  const met = (of: (each: (typeof CASES)[number]) => unknown) => new Set(SHARE.map(of)).size
  expect(met(({ provider, channels }) => `${provider} ${channels}`)).toBe(UPSTREAMS.length)
  expect(met(({ outage }) => outage)).toBe(OUTAGES.length)
})

test.each(AT_START)('started while $provider $channels: $kind', async ({ provider, channels, outage }) => {
  const comparison = compareWithVenue()
  await using world = await openWorld({
    startMs: LATER_MS + 15_000,
    cadence: CADENCE,
    spy: comparison.spy,
    prepare: ({ outages }) => {
      for (const channel of channels) outages.set(provider, channel, outage)
    },
  })
  const walk = createWalk(world)
  await walk(75_000)
  expectSparing(world, 75_000)
  for (const channel of channels) world.internet.outages.set(provider, channel)
  await walk(RECOVERS_WITHIN_MS)
  expect(lackOf(world, comparison.subject)).toEqual([])
  comparison.stop()
})

test.each(LATER)('later met: $provider $channels: $kind', async ({ provider, channels, outage }) => {
  const comparison = compareWithVenue()
  await using world = await openWorld({ startMs: LATER_MS, cadence: CADENCE, spy: comparison.spy })
  const walk = createWalk(world)
  await walk(20_000)
  const before = triesOf(world)
  for (const channel of channels) world.internet.outages.set(provider, channel, outage)
  await walk(100_000)
  expectSparing(world, 100_000, before)
  for (const channel of channels) world.internet.outages.set(provider, channel)
  await walk(RECOVERS_WITHIN_MS)
  expect(lackOf(world, comparison.subject)).toEqual([])
  comparison.stop()
})

describe('nobody listens', () => {
  test('at the start and later', async () => {
    const comparison = compareWithVenue()
    await using world = await openWorld({
      startMs: LATER_MS,
      cadence: CADENCE,
      spy: comparison.spy,
      isRefusing: true,
    })
    const walk = createWalk(world)
    for (let time = 0; time < 2; time++) {
      await walk(75_000)
      await world.internet.refuse(false)
      await walk(RECOVERS_WITHIN_MS)
      expect(lackOf(world, comparison.subject)).toEqual([])
      if (time === 0) await world.internet.refuse(true)
    }
    comparison.stop()
  })
})

function createWalk(world: World) {
  let nowMs = world.clock.now()
  return async (ms: number) => {
    for (const untilMs = nowMs + ms; nowMs < untilMs; ) {
      nowMs += STEP_MS
      await world.stepTo(nowMs)
    }
  }
}

/** Everything that is not as it should be. */
function lackOf(
  { market, feeds, clock }: World,
  signals: ReturnType<typeof compareWithVenue>['subject'],
): string[] {
  const isFresh = (atMs: number | undefined, ms = 10_000) => atMs !== undefined && clock.now() - atMs <= ms
  const streams = feeds.health().streams.filter((stream) => !isWell(stream))
  return [
    ...streams.map(({ kind, source, coin, state }) => `${kind} of ${source} ${coin} ${state}`),
    ...COINS.flatMap((coin) => {
      const oracle = PRICE_KINDS.filter((kind) => !isFresh(market.oracle(coin).last[kind]?.atMs))
      const books = (['binance', 'coinbase'] as const).filter((venue) => market.book(venue, coin)?.fault)
      const signal = signals.signal(coin)
      return [
        ...oracle.map((kind) => `no ${kind} of ${coin}`),
        ...books.map((venue) => `book of ${venue} ${coin} in doubt`),
        ...(market.price(coin) ? [] : [`no price of ${coin}`]),
        ...(signal ? [] : [`no signal of ${coin}: ${signals.missing(coin)}`]),
      ]
    }),
  ]
}

function isWell({ state, ageMs }: FeedsHealth['streams'][number]): boolean {
  return state === 'live' && (ageMs ?? Number.POSITIVE_INFINITY) <= 30_000
}

type Tries = Record<string, number>

function triesOf({ internet: { outages } }: World): Tries {
  const tries: Tries = {}
  for (const provider of ['binance', 'coinbase', 'polybolt'] as const)
    for (const channel of ['rest', 'socket'] as const)
      tries[`${provider} ${channel}`] = outages.count(provider, channel)
  return tries
}

function expectSparing(world: World, ms: number, before: Tries = {}): void {
  for (const [name, count] of Object.entries(triesOf(world))) {
    const perMinute = ((count - (before[name] ?? 0)) * 60_000) / ms
    expect([name, perMinute]).toEqual([name, expect.any(Number)])
    expect(perMinute, name).toBeLessThan(
      name.endsWith('rest') ? MAX_REQUESTS_PER_MIN : MAX_HANDSHAKES_PER_MIN,
    )
  }
}
