import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { FiveMinuteMarkets } from '../../feeds/prediction/five-minute-markets.ts'
import type { SignalEngine } from '../../signals/live/engine.ts'
import type { Regime } from '../../signals/signal.ts'
import type { GlobalMarket } from '../../upstreams/coingecko/wire.ts'
import type { Derivatives } from '../derivatives/derivatives.ts'
import { mapPart, type Part } from '../part.ts'
import type { Whales } from '../whales/whales.ts'
import { type Blend, blend, type Parts, type Weights } from './blend.ts'
import type { FearGreed } from './fear-greed.ts'
import { type FundingAcross, fundingAcross } from './funding.ts'
import { heardFlow } from './heard-flow.ts'
import type { Momentum } from './momentum.ts'
import { oddsPart, regimeOf, signalPart } from './probabilities.ts'
import {
  scoreFearGreed,
  scoreFlow,
  scoreFunding,
  scoreMomentum,
  scoreProbability,
  scoreSignal,
} from './scores.ts'

/** `docs/methodology/sentiment.md` says what each is based on. */
export const BASIC_WEIGHTS: Weights = { fear_greed: 0.3, momentum: 0.4, whale_flow: 0.3 }
export const COMPOSITE_WEIGHTS: Weights = {
  fear_greed: 0.2,
  momentum: 0.35,
  whale_flow: 0.2,
  funding: 0.15,
  prediction_market: 0.05,
  signal: 0.05,
}

/** What the market feels and does, per coin. Indexes of the present, not forecasts. Read from memory. */
export type Sentiment = {
  fearGreed(): Part<FearGreed>
  wholeMarket(): Part<GlobalMarket>
  momentum(coin: Coin): Part<Momentum>
  funding(coin: Coin): Part<FundingAcross>
  regime(coin: Coin): Part<Regime>
  /** Of fear and greed, momentum and whale flow. */
  basic(coin: Coin): Blend
  /** Of everything. */
  composite(coin: Coin): Blend
  /** Another one every second: signals and books change more often, and weigh too little for anybody to want each of them. */
  changes(): number
}

export type SentimentPorts = {
  clock: Clock
  fearGreed: () => Part<FearGreed>
  wholeMarket: () => Part<GlobalMarket>
  momentum: (coin: Coin) => Part<Momentum>
  signals: Pick<SignalEngine, 'signal'>
  fiveMinute: Pick<FiveMinuteMarkets, 'open'>
  whales: Pick<Whales, 'flow'>
  derivatives: Pick<Derivatives, 'perpetual'>
}

export function createSentiment(ports: SentimentPorts): Sentiment {
  const { clock, fearGreed, wholeMarket, momentum, signals, fiveMinute, whales, derivatives } = ports
  const funding = (coin: Coin) => fundingAcross(derivatives, coin)
  const signal = (coin: Coin) => signalPart(signals, coin, clock.now())
  const partsOf = (coin: Coin): Parts => ({
    fear_greed: mapPart(fearGreed(), scoreFearGreed),
    momentum: mapPart(momentum(coin), scoreMomentum),
    whale_flow: mapPart(heardFlow(whales.flow(coin)), scoreFlow),
    funding: mapPart(funding(coin), scoreFunding),
    prediction_market: mapPart(oddsPart(fiveMinute, coin, clock.now()), scoreProbability),
    signal: mapPart(signal(coin), scoreSignal),
  })
  return {
    fearGreed,
    wholeMarket,
    momentum,
    funding,
    regime: (coin) => mapPart(signal(coin), regimeOf),
    basic: (coin) => blend(BASIC_WEIGHTS, partsOf(coin)),
    composite: (coin) => blend(COMPOSITE_WEIGHTS, partsOf(coin)),
    changes: () => Math.floor(clock.now() / SECOND_MS),
  }
}
