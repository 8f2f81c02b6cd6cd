import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { secret } from '../../src/core/secret.ts'
import { createManualClock, type ManualClock } from '../../src/core/time/manual-clock.ts'
import type { FeedSink } from '../../src/feeds/events.ts'
import { createFeeds, type Feeds } from '../../src/feeds/feeds.ts'
import { createMarket, type Market } from '../../src/market/market.ts'
import { type Internet, startInternet } from '../../src/sandbox/internet.ts'
import {
  type Cadence,
  createSimulatedMarket,
  type SimulatedMarket,
} from '../../src/sandbox/market/simulated-market.ts'
import type { Tamper } from '../../src/sandbox/providers/peers.ts'
import { createSeeded } from '../../src/testing/seeded.ts'

export const START_MS = Date.UTC(2026, 0, 5, 12)
/** Turns of the event loop that a step waits for REST replies under way. */
const MAX_TURNS = 400
const CADENCE: Cadence = { bookEveryMs: 5_000, tradesPerSecond: 0.5 }

/** The simulated market behind real sockets, the real client in front of them, and one clock that waits for both. */
export type World = {
  clock: ManualClock
  market: Market
  feeds: Feeds
  internet: Internet
  simulation: SimulatedMarket
  stepTo(atMs: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type WorldOptions = {
  tamper?: Tamper
  repairsGaps?: boolean
  /** Off: no keys for the oracle, so that its price is derived. */
  hasOracleKeys?: boolean
  /** When the service starts; the market has been trading since a minute before `START_MS`, or before this if earlier. */
  startMs?: number
  /** What the feeds send goes here; by default to the market alone. */
  spy?(sink: FeedSink, world: Pick<World, 'market' | 'clock' | 'simulation'>): FeedSink
  cadence?: Cadence
  /** Nobody listens when the service starts. */
  isRefusing?: boolean
  /** Before the service starts. */
  prepare?(internet: Internet): void
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { tamper, repairsGaps = true, hasOracleKeys = true, startMs = START_MS } = options
  const { spy = (sink) => sink, prepare = () => {}, isRefusing = false, cadence = CADENCE } = options
  const simulation = createSimulatedMarket({ seed: 11, startMs: Math.min(START_MS, startMs), cadence })
  simulation.advanceTo(startMs)
  const clock = createManualClock(startMs)
  const internet = await startInternet({ market: simulation, clock, ...(tamper && { tamper }) })
  prepare(internet)
  if (isRefusing) await internet.refuse(true)
  const market = createMarket({ clock })
  const feeds = createFeeds({
    clock,
    sink: spy(market.sink, { market, clock, simulation }),
    upstreams: internet.urls,
    oracleKeys: hasOracleKeys ? keysOf(internet) : undefined,
    log: pino({ level: 'silent' }),
    random: createSeeded(5).fraction,
    isPaced: false,
    repairsGaps,
  })
  await feeds.start()
  for (let turns = 0; feeds.isBusy && turns < MAX_TURNS; turns++) await nextTurn()
  return {
    clock,
    market,
    feeds,
    internet,
    simulation,
    async stepTo(atMs) {
      clock.advanceTo(atMs)
      simulation.advanceTo(atMs)
      await internet.drained()
      await nextTurn()
      for (let turns = 0; feeds.isBusy && turns < MAX_TURNS; turns++) await nextTurn()
    },
    async [Symbol.asyncDispose]() {
      await feeds.stop()
      await internet.close()
    },
  }
}

function keysOf({ credentials: { apiKey, secret: key, passphrase } }: Internet) {
  return { apiKey: secret(apiKey), secret: secret(key), passphrase: secret(passphrase) }
}
