import type { Upstreams } from '../../config/providers.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createFearGreedSource } from '../../intel/sentiment/fear-greed.ts'
import { createMarketMomentum } from '../../intel/sentiment/market-momentum.ts'
import { createSentiment, type Sentiment, type SentimentPorts } from '../../intel/sentiment/sentiment.ts'
import { createWholeMarketSource } from '../../intel/sentiment/whole-market.ts'
import type { Market } from '../../market/market.ts'
import { coinGeckoHeaders, createCoinGecko } from '../../upstreams/coingecko/client.ts'
import { createFearGreedIndex } from '../../upstreams/fng/client.ts'
import type { Hosts } from '../upstream-hosts.ts'

type Ports = Pick<SentimentPorts, 'signals' | 'fiveMinute' | 'whales' | 'derivatives'> & {
  upstreams: Pick<Upstreams, 'FNG' | 'COINGECKO'>
  hosts: Pick<Hosts, 'open'>
  clock: Clock
  market: Pick<Market, 'candles'>
  /** A free key of CoinGecko; without it fewer requests are answered. */
  coinGeckoKey?: string | undefined
  /** Replaced in tests only. */
  random?: () => number
}

export type OpenSentiment = {
  sentiment: Sentiment
  /** Resolves when everything was read once, well or not. */
  start(): Promise<void>
  stop(): void
}

/** Sends nothing before `start`. */
export function openSentiment(ports: Ports): OpenSentiment {
  const { upstreams, hosts, clock, market, coinGeckoKey, random = Math.random, ...others } = ports
  const index = createFearGreedIndex(hosts.open('fng', upstreams.FNG))
  const coingecko = createCoinGecko(
    hosts.open('coingecko', upstreams.COINGECKO, coinGeckoHeaders(coinGeckoKey)),
  )
  const fearGreed = createFearGreedSource({ clock, random, index })
  const wholeMarket = createWholeMarketSource({ clock, random, coingecko })
  const sources = [fearGreed, wholeMarket]
  return {
    sentiment: createSentiment({
      ...others,
      clock,
      fearGreed: fearGreed.read,
      wholeMarket: wholeMarket.read,
      momentum: createMarketMomentum({ clock, market }),
    }),
    async start() {
      await Promise.all(sources.map((source) => source.start()))
    },
    stop() {
      for (const source of sources) source.stop()
    },
  }
}
