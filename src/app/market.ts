import { type Clock, sleep } from '../core/clock.ts'
import { COINS, type Coin } from '../core/coin.ts'
import type { Log } from '../core/log.ts'
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

/** The first call after the start shall find a price and a signal of every coin, with every indicator. */
export async function waitForFirstData({ market, signals, feeds }: OpenMarket, clock: Clock): Promise<void> {
  await feeds.start()
  const isKnown = (coin: Coin) => {
    const unknown = signals.signal(coin)?.unknownIndicators
    const hasIndicators = unknown && Object.keys(unknown).length === 0
    return market.price(coin) && market.oracle(coin).last.twap_60s && hasIndicators
  }
  const giveUpMs = clock.now() + FIRST_DATA_WAIT_MS
  while (!COINS.every(isKnown) && clock.now() < giveUpMs) await sleep(clock, FIRST_DATA_STEP_MS)
}
