import type { Upstreams } from '../config/providers.ts'
import { type Clock, sleep } from '../core/time/clock.ts'
import { createHostGates, type HostGates } from '../upstreams/rules/host-gate.ts'
import { type FeedSink, VENUES, type Venue } from './events.ts'
import { type FeedLog, logUntil } from './feed-log.ts'
import { openSocket } from './open-socket.ts'
import { createDerivedOracle } from './oracle/derived-oracle.ts'
import { createPolyBoltFeed, type OracleKeys } from './oracle/polybolt.ts'
import { everyWholeSecond } from './oracle/whole-seconds.ts'
import { createStreamGauge, type StreamHealth } from './stream-health.ts'
import { createBinanceClient } from './venues/binance/client.ts'
import { createCoinbaseClient } from './venues/coinbase/client.ts'
import { createVenueFeeds, type VenueFeeds } from './venues/venue-feeds.ts'

/** How often every stream is checked for stale data. */
const CHECK_EVERY_MS = 1_000
/** How long a stop waits for sockets to close. */
const STOP_WAIT_MS = 5_000
/** A snapshot of two minutes is about 20 kB. */
const ORACLE_FRAME_BYTES = 1_048_576

export type FeedsHealth = {
  streams: readonly StreamHealth[]
  /** Malformed messages per venue whose stream or coin is unknown. */
  unreadable: Readonly<Record<Venue, number>>
}

/** The streams of the venues and the oracle; their events go into `sink`. */
export type Feeds = {
  /** Resolves while the streams are still connecting; `health` shows their state. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Drops every connection, to the venues and to the oracle; each reconnects by itself. */
  reconnect(): void
  health(): FeedsHealth
  /** True while repairs or candle reads are under way. */
  readonly isBusy: boolean
}

export type FeedsOptions = {
  clock: Clock
  sink: FeedSink
  upstreams: Upstreams
  /** Without keys the oracle price is derived from Coinbase trades and marked as such. */
  oracleKeys?: OracleKeys | undefined
  log: FeedLog
  random: () => number
  /** Keeps within the venues' rate limits; off only against a server of our own. */
  isPaced?: boolean
  /** Off only in the test that shows why repairs are needed. */
  repairsGaps?: boolean
}

export function createFeeds(given: FeedsOptions): Feeds {
  const { clock } = given
  const aborter = new AbortController()
  const options = { ...given, log: logUntil(aborter.signal, given.log) }
  const gates = createHostGates(options)
  const oracle = createOracle({ ...options, gates }, aborter.signal)
  const venues = new Map<Venue, VenueFeeds>()
  let running: Promise<unknown> = Promise.resolve()
  let stopChecks = () => {}

  return {
    async start() {
      for (const feeds of connectVenues({ ...options, gates, sink: oracle.sink }, aborter.signal)) {
        venues.set(feeds.venue, feeds)
      }
      running = Promise.all([oracle.run(), ...[...venues.values()].map((venue) => venue.run())])
      stopChecks = clock.every(CHECK_EVERY_MS, () => {
        for (const venue of venues.values()) venue.check()
        oracle.check()
      })
    },
    async stop() {
      stopChecks()
      aborter.abort()
      const stopped = new AbortController()
      await Promise.race([running, sleep(clock, STOP_WAIT_MS, stopped.signal)])
      stopped.abort()
    },
    reconnect() {
      for (const venue of venues.values()) venue.reconnect()
      oracle.reconnect()
    },
    health: () => ({
      streams: [...[...venues.values()].flatMap((venue) => venue.health()), oracle.health()],
      unreadable: {
        binance: venues.get('binance')?.unreadable ?? 0,
        coinbase: venues.get('coinbase')?.unreadable ?? 0,
      },
    }),
    get isBusy() {
      return [...venues.values()].some((venue) => venue.isBusy)
    },
  }
}

function connectVenues(options: FeedsOptions & { gates: HostGates }, signal: AbortSignal): VenueFeeds[] {
  const { clock, gates, random, upstreams, isPaced = true, repairsGaps = true } = options
  const { BINANCE, BINANCE_WS, COINBASE, COINBASE_WS } = upstreams
  const shared = { clock, gates, random, isPaced, openSocket }
  return VENUES.map((venue) => {
    const [create, restUrl, wsUrl] =
      venue === 'binance'
        ? [createBinanceClient, BINANCE, BINANCE_WS]
        : [createCoinbaseClient, COINBASE, COINBASE_WS]
    return createVenueFeeds({
      ...options,
      venue,
      signal,
      repairsGaps,
      hosts: { rest: new URL(restUrl).host, socket: new URL(wsUrl).host },
      connect: (watch) => create({ ...shared, restUrl, wsUrl, watch }),
    })
  })
}

type Oracle = {
  sink: FeedSink
  run(): Promise<void>
  check(): void
  reconnect(): void
  health(): StreamHealth
}

function createOracle(options: FeedsOptions & { gates: HostGates }, signal: AbortSignal): Oracle {
  const { clock, gates, sink, oracleKeys, upstreams } = options
  if (oracleKeys) {
    const gauge = createStreamGauge(clock, { kind: 'oracle', source: 'polybolt', coin: undefined })
    const feed = createPolyBoltFeed({
      ...options,
      url: upstreams.POLY_LIVE_WS,
      keys: oracleKeys,
      gate: gates.of(upstreams.POLY_LIVE_WS),
      gauge,
      signal,
      openSocket: (url) => openSocket(url, ORACLE_FRAME_BYTES),
    })
    return { ...feed, sink, health: gauge.read }
  }
  return createDerived(clock, sink, signal)
}

/** Derives the oracle price from the trades that pass through the sink. */
function createDerived(clock: Clock, sink: FeedSink, signal: AbortSignal): Oracle {
  const gauge = createStreamGauge(clock, { kind: 'oracle', source: 'coinbase_derived', coin: undefined })
  const derived = createDerivedOracle({
    clock,
    sink: {
      oracle(tick) {
        gauge.arrived(tick.atMs)
        sink.oracle(tick)
      },
    },
  })
  return {
    sink: {
      ...sink,
      trade(trade) {
        derived.observe(trade)
        sink.trade(trade)
      },
    },
    async run() {
      signal.addEventListener('abort', everyWholeSecond(clock, derived.tick), { once: true })
    },
    check() {},
    // Made of the trades of a venue: it has no connection of its own.
    reconnect() {},
    health: gauge.read,
  }
}
