import type { FiveMinuteHealth, FiveMinuteMarkets } from '../../feeds/prediction/five-minute-markets.ts'
import type { Market } from '../../market/market.ts'
import type { SignalEngine } from '../../signals/live/engine.ts'
import type { UpstreamCounters } from '../../upstreams/upstream.ts'
import type { OpenMarket } from '../market.ts'
import type { Prediction } from '../prediction.ts'

/** Market and signals, whether this process follows them or hears of them. */
export type KnownMarket = Pick<OpenMarket, 'onTrade'> & {
  market: Market
  signals: Pick<SignalEngine, 'signal' | 'missing'>
  feeds: Pick<OpenMarket['feeds'], 'health'>
}

/** The prediction markets, likewise. */
export type KnownVenue = {
  /** `health` is undefined while the engine is not heard. */
  fiveMinute: FiveMinuteMarkets & { health(): FiveMinuteHealth | undefined }
  services: Prediction
  counters(): readonly UpstreamCounters[]
}
