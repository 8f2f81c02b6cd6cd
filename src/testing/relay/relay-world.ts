import { expect } from 'vitest'
import type { RedisConnection } from '../../access/redis/connection.ts'
import { COINS, type Coin } from '../../core/coin.ts'
import { type Log, silentLog } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createManualClock, type ManualClock } from '../../core/time/manual-clock.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import type { FeedSink } from '../../feeds/events.ts'
import type { WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import { teeSink } from '../../feeds/tee-sink.ts'
import { createMarket } from '../../market/market.ts'
import { openPublisher, type Publisher, TURN_MS } from '../../relay/publish/publisher.ts'
import type { Sources } from '../../relay/publish/sources.ts'
import { openSubscriber, type Subscriber } from '../../relay/read/subscriber.ts'
import type { Signal } from '../../signals/signal.ts'
import { botStatusAt } from '../products/hand-made-bot.ts'
import { heldPosition, listedMarket, windowMarketAt } from '../products/hand-made-prediction.ts'
import { signalAt } from '../products/hand-made-signals.ts'
import type { Seeded } from '../seeded.ts'
import { marketAnswers, unversioned } from './market-answers.ts'
import { createMarketNoise } from './market-noise.ts'

export const RELAY_START_MS = Date.UTC(2026, 0, 5, 12)

/** An engine whose market is noise, and whose other parts hold what a test puts there. */
type OwnedMarket = ReturnType<typeof createMarket>
export type NoisyEngine = {
  sources: Sources & { market: OwnedMarket }
  publisher: Publisher
  sink: FeedSink
  step(): void
}

type Options = {
  redis: RedisConnection
  clock: Clock
  seeded: Seeded
  epoch: number
  prefix: string
  token?: string
  log?: Log
  mayBegin?: () => boolean
}

export function openNoisyEngine({ clock, seeded, log = silentLog, ...given }: Options): NoisyEngine {
  const market = createMarket({ clock })
  const { sources, shuffle } = createNoisySources(clock, seeded, market)
  const publisher = openPublisher({ ...given, clock, log, sources })
  const sink = teeSink(market.sink, publisher.sink)
  const noise = createMarketNoise(seeded, sink)
  return {
    sources,
    publisher,
    sink,
    step() {
      noise(clock.now())
      shuffle()
    },
  }
}

function createNoisySources(clock: Clock, seeded: Seeded, market: OwnedMarket) {
  const signals = new Map<Coin, Signal>()
  const windows = new Map<Coin, WindowMarket>()
  let listed = listOf(3, clock.now())
  let status = botStatusAt(clock.now())
  const account = {
    activity: { value: { rows: [], cutMs: undefined }, asOfMs: clock.now() },
    positions: { value: [heldPosition()], asOfMs: clock.now() },
  }
  const sources: NoisyEngine['sources'] = {
    market,
    signals: { signal: (coin) => signals.get(coin), missing: (coin) => `no ${coin}: ~made up` },
    fiveMinute: {
      open: (coin) => windows.get(coin),
      missing: (coin) => `no market of ${coin}`,
      market: (coin, startS) => (startS % 7 === 0 ? undefined : windowMarketAt(coin, startS * 1_000).market),
      health: () => SOME_HEALTH,
    },
    list: { last: () => listed, nextMs: () => 12_345, missing: () => '' },
    account: { activity: async () => account.activity, positions: () => account.positions },
    feeds: { health: () => ({ streams: [], unreadable: { binance: 1, coinbase: 2 } }) },
    bot: { status: () => status },
    publicBot: { wallet: async () => ({ broker: 'paper', amountE6: 5n }) },
    record: { latest: () => ({ head: { treeSize: 7 } }) as never },
  }
  const shuffle = () => {
    const coin = seeded.pick([...COINS])
    if (seeded.chance(0.3)) signals.set(coin, signalAt(coin, clock.now(), seeded.fraction()))
    if (seeded.chance(0.02)) signals.delete(coin)
    if (seeded.chance(0.3)) windows.set(coin, windowMarketAt(coin, clock.now()))
    if (seeded.chance(0.02)) windows.delete(coin)
    if (seeded.chance(0.02)) listed = listOf(seeded.below(700), clock.now())
    if (seeded.chance(0.02)) status = botStatusAt(clock.now(), { state: seeded.pick(['running', 'paused']) })
    if (seeded.chance(0.02))
      account.positions = { value: [heldPosition({ shares: seeded.fraction() })], asOfMs: clock.now() }
  }
  return { sources, shuffle }
}

const listOf = (count: number, asOfMs: number) => ({
  value: Array.from({ length: count }, (_, n) => listedMarket(`m-${n}`, { bestBid: undefined })),
  ...{ asOfMs, events: count, isAll: true },
})

const SOME_HEALTH = {
  ...{ followed: 4, unmirrored: 0, foreignFrames: 1, malformedFrames: 0, isConnected: true },
  checks: { confirmed: 1, newer: 2, loaded: 3, repaired: 4, useless: 5 },
  books: [],
  streams: [],
  windows: { watched: 8, unknown: 0, unresolved: 1, resolved: 2, failures: 0 },
  bookReads: { requests: 9, failures: 1 },
}

export function openReader(redis: RedisConnection, clock: Clock, prefix: string, log: Log): Subscriber {
  return openSubscriber({ redis, prefix, clock, log })
}

export const relayClock = (): ManualClock => createManualClock(RELAY_START_MS)

/** Engines that begin at such a time have their turns together. */
export const nextTurnMs = (clock: Clock): number =>
  RELAY_START_MS + (Math.floor((clock.now() - RELAY_START_MS) / TURN_MS) + 1) * TURN_MS

/** A turn of every engine, and then a look of every reader. */
export async function tick(
  clock: ManualClock,
  publishers: readonly Pick<Publisher, 'idle'>[],
  readers: readonly Pick<Subscriber, 'idle'>[],
): Promise<void> {
  const idle = async () => {
    for (const each of [...publishers, ...readers]) await each.idle()
  }
  clock.advanceTo(nextTurnMs(clock))
  await idle()
  // Before the next turn, and long enough for a look.
  clock.advance(LOOK_MS)
  await idle()
}
const LOOK_MS = 60

/** Everything that handlers can ask; versions are each process's own. */
export function expectSame(reader: Subscriber, { sources }: NoisyEngine, clock: Clock): void {
  expect(reader.missing()).toBeUndefined()
  expect(marketAnswers(reader.market)).toStrictEqual(marketAnswers(sources.market))
  const { startS } = windowAt(clock.now())
  for (const coin of COINS) {
    const open = sources.fiveMinute.open(coin)
    const isOpen = open?.market.window.startS === startS
    expect(unversioned(reader.signals.signal(coin))).toStrictEqual(unversioned(sources.signals.signal(coin)))
    expect(reader.signals.missing(coin)).toBe(sources.signals.missing(coin))
    expect(unversioned(reader.fiveMinute.open(coin))).toStrictEqual(isOpen ? unversioned(open) : undefined)
    if (!open) expect(reader.fiveMinute.missing(coin)).toBe(sources.fiveMinute.missing(coin))
  }
}

/** What is told once a second, or in chunks. */
export async function expectSameLater(reader: Subscriber, { sources }: NoisyEngine, clock: Clock) {
  const { startS } = windowAt(clock.now())
  for (const coin of COINS)
    for (const away of [-2, -1, 0, 1, 2]) {
      const known = sources.fiveMinute.market(coin, startS + away * WINDOW_S)
      const isOver = away < 0
      expect(reader.fiveMinute.market(coin, startS + away * WINDOW_S)).toStrictEqual(
        known && (isOver ? { ...known, acceptingOrders: false } : known),
      )
    }
  expect(reader.list.last()).toStrictEqual(sources.list.last())
  expect([reader.list.nextMs(), reader.list.missing()]).toEqual([12_345, ''])
  expect(reader.account.positions()).toStrictEqual(sources.account?.positions())
  expect(await reader.account.activity()).toStrictEqual(await sources.account?.activity())
  const { state, config, breaker } = sources.bot.status()
  expect(reader.bot.status()).toMatchObject({ state, config, breaker })
  expect(await reader.bot.wallet()).toStrictEqual({ broker: 'paper', amountE6: 5n })
  expect(reader.feedsHealth()).toStrictEqual(sources.feeds.health())
  expect(reader.fiveMinute.health()).toMatchObject({ ...SOME_HEALTH, books: expect.any(Array) })
}
