import { COINS, type Coin } from '../core/coin.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { waitUntil } from '../core/time/wait-until.ts'
import { DEAF } from '../feeds/deaf-sink.ts'
import type { FeedSink } from '../feeds/events.ts'
import { createFeeds, type Feeds } from '../feeds/feeds.ts'
import { teeSink } from '../feeds/tee-sink.ts'
import { createTradeListeners, type TradeListeners } from '../feeds/trade-listeners.ts'
import { createMarket, type Market, type MarketParts } from '../market/market.ts'
import { createSignalEngine, type SignalEngine } from '../signals/live/engine.ts'
import { loadModel } from '../signals/model/load-model.ts'
import type { Model } from '../signals/model/model.ts'
import { chooseModel } from '../signals/model/own/load-own-model.ts'
import { createSamples, type Samples } from '../signals/samples/samples.ts'
import type { OutsideWorld } from './outside-world.ts'

export type OpenMarket = {
  market: Market & { parts: MarketParts }
  signals: SignalEngine
  samples: Samples
  /** Name of the model that runs. */
  modelName: string
  feeds: Feeds
  /** Every trade of the venues. */
  onTrade: TradeListeners['onTrade']
  /** Gets every event from now on, after market and signals. */
  publishTo(sink: FeedSink): void
  stop(): Promise<void>
}
type Ports = {
  world: Pick<OutsideWorld, 'upstreams' | 'oracleKeys'>
  clock: Clock
  log: Log
  /** Where a model that was learnt from own history may be. */
  dataDir?: string
}

/** Prices arrive within a second, the past that signals need within three. A venue that is down must not keep the service from starting. */
const FIRST_DATA_WAIT_MS = 6_000
/** Past trades and the first book arrive before the history. In a quiet market an indicator may stay unknown, and replies say so. */
const INDICATORS_WAIT_MS = 8_000

/** The market and its signals, fed by the venues until stopped. */
export function openMarket({ world, clock, log, dataDir }: Ports): OpenMarket {
  const { upstreams, oracleKeys } = world
  const market = createMarket({ clock })
  const model = modelOf(dataDir, log)
  const samples = createSamples({ clock, market })
  const signals = createSignalEngine({ clock, market, model, samples })
  const trades = createTradeListeners()
  let published = DEAF
  const publish = lateSink(() => published)
  const sink = teeSink(market.sink, signals.sink, trades.sink, publish)
  const feeds = createFeeds({ clock, sink, upstreams, oracleKeys, log, random: Math.random })
  return {
    market,
    signals,
    samples,
    modelName: model.name,
    feeds,
    onTrade: trades.onTrade,
    publishTo(next) {
      published = next
    },
    async stop() {
      await feeds.stop()
      signals.stop()
      samples.stop()
    },
  }
}

/** The sink that is found when an event comes. */
const lateSink = (find: () => FeedSink): FeedSink => ({
  trade: (trade) => find().trade(trade),
  book: (book) => find().book(book),
  bookLost: (lost) => find().bookLost(lost),
  kline: (kline) => find().kline(kline),
  tradeDoubt: (doubt) => find().tradeDoubt(doubt),
  minuteLost: (lost) => find().minuteLost(lost),
  oracle: (tick) => find().oracle(tick),
})

function modelOf(dataDir: string | undefined, log: Log): Model {
  const { model, fault } =
    dataDir === undefined ? { model: loadModel(), fault: undefined } : chooseModel(dataDir)
  if (fault !== undefined) log.warn({ fault }, 'what was learnt from own history is not used')
  log.info({ model: model.name }, 'signal model')
  return model
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
