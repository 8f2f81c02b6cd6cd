import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type CascadeRisk, cascadeRiskOf } from '../../intel/derivatives/cascade-risk.ts'
import type { Derivatives, DerivativesVenue } from '../../intel/derivatives/derivatives.ts'
import type { Part } from '../../intel/part.ts'
import { createSentiment, type SentimentPorts } from '../../intel/sentiment/sentiment.ts'
import type { WhaleFlow } from '../../intel/whales/whales.ts'
import type { SentimentServices } from '../../products/sentiment/services.ts'
import { windowMarketAt } from './hand-made-prediction.ts'
import { signalAt, signalsOf } from './hand-made-signals.ts'

export const missingPart = (source: string): Part<never> => ({ source, status: 'missing', reason: 'made up' })
export const freshPart = <T>(source: string, value: T, asOfMs: number): Part<T> => ({
  source,
  status: 'fresh',
  value,
  asOfMs,
})

/** Ports of a bullish market in which everything is known; replace what a test is about. */
export function sentimentPorts(clock: Clock): SentimentPorts {
  const fresh = <T>(source: string, value: T) => freshPart(source, value, clock.now())
  const ownMs = { binance: 3_600_000, coinbase: 3_600_000 }
  const flow: WhaleFlow = { spanMs: 3_600_000, buyUsd: 3e6, sellUsd: 1e6, trades: 15, ownMs }
  return {
    clock,
    fearGreed: () =>
      fresh('alternative.me', { value: 70, word: 'Greed', dayAgo: 64, weekAgo: 50, monthAgo: undefined }),
    wholeMarket: () =>
      fresh('coingecko', {
        capUsd: 3e12,
        volume24hUsd: 1e11,
        dominance: { BTC: 58.25, ETH: 11.5, SOL: undefined, XRP: undefined },
        capChange24hPercent: -1.26,
        volumeChange24hPercent: undefined,
        atMs: clock.now(),
      }),
    momentum: () =>
      fresh('binance_candles', {
        score: 0.5,
        deviations: Math.atanh(0.5),
        spans: [{ name: '1h', changePercent: 0.75, deviations: Math.atanh(0.5) }],
      }),
    signals: signalsOf((coin) => signalAt(coin, clock.now(), 0.6)),
    fiveMinute: {
      open: (coin) => windowMarketAt(coin, clock.now(), { up: { bids: [[0.64, 10]], asks: [[0.66, 10]] } }),
    },
    whales: { flow: () => fresh('whales', flow) },
    derivatives: derivativesOf(() => ({ funding8h: 0.0004, openInterestUsd: 1e9 }), clock),
  }
}

type Perpetual = { funding8h: number; openInterestUsd: number } | undefined

/** The same at every venue, unless `of` tells them apart. */
export function derivativesOf(
  of: (venue: DerivativesVenue, coin: Coin) => Perpetual,
  clock: Clock,
): Derivatives {
  return {
    perpetual(venue, coin) {
      const found = of(venue, coin)
      if (!found) return missingPart(venue)
      const value = { ...found, intervalHours: 8, nextFundingMs: undefined, markPrice: 100 }
      return freshPart(venue, value, clock.now())
    },
    liquidations: () =>
      freshPart('bybit', { spanMs: 3_600_000, longUsd: 2e5, shortUsd: 1e5, count: 7 }, clock.now()),
    version: () => 1,
  }
}

/** 100 × (0.25 × 0.5 + 0.2 × 1 + 0.2 × 0.25) / 0.65 */
const CASCADE = cascadeRiskOf({
  ...{ openInterestUsd: 1e9, volume24hUsd: 1e9, openInterestChange24h: undefined },
  ...{ funding8h: 0.0011, liquidations: undefined, volatilityRatio: 1.5 },
}) as CascadeRisk

export function sentimentServices(clock: Clock, replaced: Partial<SentimentPorts> = {}): SentimentServices {
  const ports = { ...sentimentPorts(clock), ...replaced }
  return {
    clock,
    sentiment: createSentiment(ports),
    derivatives: derivativesOf(() => undefined, clock),
    cascadeRisk: () => freshPart('derivatives_venues', CASCADE, clock.now()),
    sourceOf: (source) => `sandbox:${source}`,
  }
}
