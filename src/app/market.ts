import { COINS, type Coin } from '../core/coin.ts'
import type { Log } from '../core/log.ts'
import { type Clock, sleep } from '../core/time/clock.ts'
import { createFeeds, type Feeds } from '../feeds/feeds.ts'
import { teeSink } from '../feeds/tee-sink.ts'
import { createMarket, type Market } from '../market/market.ts'
import { createSignalEngine, type SignalEngine } from '../signals/live/engine.ts'
import { loadModel } from '../signals/model/load-model.ts'
import type { OutsideWorld } from './outside-world.ts'

export type OpenMarket = { market: Market; signals: SignalEngine; feeds: Feeds; stop(): Promise<void> }
type Ports = { world: Pick<OutsideWorld, 'upstreams' | 'oracleKeys'>; clock: Clock; log: Log }

/** Prices arrive within a second, the past that signals need within three. A venue that is down must not keep the service from starting. */
const FIRST_DATA_WAIT_MS = 6_000
/** Past trades and the first book arrive before the history. In a quiet market an indicator may stay unknown, and replies say so. */
const INDICATORS_WAIT_MS = 2_000
const FIRST_DATA_STEP_MS = 20

/** The market and its signals, fed by the venues until stopped. */
export function openMarket({ world, clock, log }: Ports): OpenMarket {
  const { upstreams, oracleKeys } = world
  const market = createMarket({ clock })
  const signals = createSignalEngine({ clock, market, model: loadModel() })
  const sink = teeSink(market.sink, signals.sink)
  const feeds = createFeeds({ clock, sink, upstreams, oracleKeys, log, random: Math.random })
  return {
    market,
    signals,
    feeds,
    async stop() {
      await feeds.stop()
      signals.stop()
    },
  }
}

/** So that the first call after the start gets a price and a signal of every coin, with every indicator. */
export async function waitForFirstData(
  { market, signals, feeds }: OpenMarket,
  clock: Clock,
  log: Log,
): Promise<void> {
  await feeds.start()
  const hasSignal = (coin: Coin) =>
    market.price(coin) && market.oracle(coin).last.twap_60s && signals.signal(coin)
  const hasIndicators = (coin: Coin) =>
    Object.keys(signals.signal(coin)?.unknownIndicators ?? {}).length === 0
  await waitUntil(clock, () => COINS.every(hasSignal), FIRST_DATA_WAIT_MS)
  await waitUntil(clock, () => COINS.every(hasIndicators), INDICATORS_WAIT_MS)
  const unpriced = COINS.filter((coin) => !market.price(coin))
  if (unpriced.length > 0)
    log.warn({ coins: unpriced }, 'no prices yet: what needs them answers 503 and is not charged')
}

export async function waitUntil(clock: Clock, isDone: () => boolean, maxWaitMs: number): Promise<void> {
  const giveUpMs = clock.now() + maxWaitMs
  while (!isDone() && clock.now() < giveUpMs) await sleep(clock, FIRST_DATA_STEP_MS)
}
