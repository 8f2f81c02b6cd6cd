import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COINS } from '../src/core/coin.ts'
import { silentLog } from '../src/core/log.ts'
import { secret } from '../src/core/secret.ts'
import { createManualClock } from '../src/core/time/manual-clock.ts'
import { createFeeds, type Feeds } from '../src/feeds/feeds.ts'
import type { StreamHealth } from '../src/feeds/stream-health.ts'
import { teeSink } from '../src/feeds/tee-sink.ts'
import { createMarket } from '../src/market/market.ts'
import { type Internet, startInternet } from '../src/sandbox/internet.ts'
import { createSimulatedMarket } from '../src/sandbox/market/simulated-market.ts'
import { createSignalEngine, type SignalEngine } from '../src/signals/live/engine.ts'
import { loadModel } from '../src/signals/model/load-model.ts'
import type { IndicatorReadings } from '../src/signals/signal.ts'

/** The simulated market traded for a minute before it, and not before that. */
const START_MS = Date.UTC(2026, 0, 5, 12)
const MINUTE_MS = 60_000
const STEP_MS = 2_000
const REAL_STEP_MS = 5

const clock = createManualClock(START_MS)
const simulation = createSimulatedMarket({
  seed: 'past',
  startMs: START_MS,
  cadence: { bookEveryMs: 2_000, tradesPerSecond: 2 },
})
let internet: Internet
const listening: { engine: SignalEngine; feeds: Feeds }[] = []

beforeAll(async () => {
  internet = await startInternet({ market: simulation, clock })
})
afterAll(async () => {
  for (const { engine, feeds } of listening) {
    engine.stop()
    await feeds.stop()
  }
  await internet.close()
})

/** The venues as the service hears them, from now on. */
async function listen(): Promise<SignalEngine> {
  const market = createMarket({ clock })
  const engine = createSignalEngine({ clock, market, model: loadModel() })
  const { apiKey, passphrase, secret: key } = internet.credentials
  const feeds = createFeeds({
    clock,
    sink: teeSink(market.sink, engine.sink),
    upstreams: internet.urls,
    oracleKeys: { apiKey: secret(apiKey), secret: secret(key), passphrase: secret(passphrase) },
    log: silentLog,
    random: () => 0.5,
    isPaced: false,
  })
  listening.push({ engine, feeds })
  await feeds.start()
  while (feeds.isBusy) await nextTurn()
  await untilHeard(feeds)
  return engine
}

/** Connections take real time while the market waits for nobody: until each stream has delivered, trades may be missing. */
async function untilHeard(feeds: Feeds): Promise<void> {
  const sinceMs = clock.now()
  const hasHeard = ({ ageMs }: StreamHealth) => ageMs !== undefined && clock.now() - ageMs > sinceMs
  const trades = () => feeds.health().streams.filter(({ kind }) => kind === 'trades')
  while (!trades().every(hasHeard)) {
    await pause(REAL_STEP_MS)
    await passTo(clock.now() + STEP_MS)
  }
}

async function passTo(atMs: number): Promise<void> {
  while (clock.now() < atMs) {
    clock.advanceTo(Math.min(atMs, clock.now() + STEP_MS))
    await internet.advanceTo(clock.now())
    await nextTurn()
    while (listening.some(({ feeds }) => feeds.isBusy)) await nextTurn()
  }
}

/** Past books are not to be had, so their average is that of the time since. */
function readingsOf(engine: SignalEngine): Omit<IndicatorReadings, 'bookImbalance'>[] {
  return COINS.map((coin) => {
    const signal = engine.signal(coin)
    if (!signal) throw new Error(`no ${coin} signal: ${engine.missing(coin)}`)
    expect(signal.unknownIndicators).toEqual({})
    const { bookImbalance, ...rest } = signal.indicators
    expect(bookImbalance).toEqual(expect.any(Number))
    return rest
  })
}

/** The largest difference, as a share of the reading itself where it is larger than 1. */
function furthest(some: object[], others: object[]): number {
  const differences = some.flatMap((each, at) =>
    Object.entries(each).map(([name, value]) => {
      const other: number = (others[at] as Record<string, number>)[name] ?? Number.NaN
      return Math.abs(value - other) / Math.max(1, Math.abs(value))
    }),
  )
  return Math.max(...differences)
}

test('an engine that starts with the past says what one says that listened all along', async () => {
  const listener = await listen()
  await passTo(START_MS + 9.5 * MINUTE_MS)
  const early = await listen()
  for (const moreMs of [4_000, 36_000, 40_000]) {
    await passTo(clock.now() + moreMs)
    const [heard, read] = [readingsOf(listener), readingsOf(early)]
    // Both know the same trades: theirs are equal bit for bit, candles differ by how their volume was summed.
    for (const [at, { tickMomentum, aggressorRatio }] of heard.entries())
      expect(read[at]).toMatchObject({ tickMomentum, aggressorRatio })
    expect(furthest(heard, read)).toBeLessThan(1e-9)
  }

  await passTo(START_MS + 15 * MINUTE_MS)
  const late = await listen()
  await passTo(clock.now() + 4_000)
  const [heard, read] = [readingsOf(listener), readingsOf(late)]
  expect(heard).not.toEqual(read)
  expect(furthest(heard, read)).toBeLessThan(1e-4)
}, 60_000)
