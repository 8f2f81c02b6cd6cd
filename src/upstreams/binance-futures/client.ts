import { COINS, type Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import { DEFAULT_INTERVAL_HOURS } from '../perpetuals/fields.ts'
import type { PerpetualVenue, VenuePerpetual } from '../perpetuals/perpetual-venue.ts'
import { createSource } from '../source.ts'
import type { Upstream } from '../upstream.ts'
import {
  DayTickerReply,
  FundingHistoryReply,
  FundingInfoReply,
  OpenInterestHistoryReply,
  OpenInterestReply,
  PremiumIndexReply,
} from './wire.ts'

/** Intervals change a few times a year, and the venue announces it. */
const INTERVALS = { softMs: HOUR_MS, hardMs: DAY_MS }
const PAST_HOURS = 26
const MAX_FUNDINGS = 1_000

type Ports = { upstream: Pick<Upstream, 'ask'>; clock: Clock; random: () => number }

/** Perpetuals in USDT at Binance. */
export function createBinanceFutures({ upstream, clock, random }: Ports): PerpetualVenue {
  const { ask } = upstream
  const intervals = createSource({
    ...{ clock, random, ...INTERVALS },
    fetch: () => ask({ path: '/fapi/v1/fundingInfo', schema: FundingInfoReply }),
  })
  /** The venue has no address that tells it of all contracts at once. */
  const ofEach = async <T>(read: (symbol: string) => Promise<ReadonlyMap<Coin, T>>) => {
    const replies = await Promise.all(COINS.map((coin) => read(symbolOf(coin))))
    return new Map(replies.flatMap((reply) => [...reply]))
  }
  return {
    async perpetuals() {
      const [premiums, openInterests, volumes, { value: hours }] = await Promise.all([
        ask({ path: '/fapi/v1/premiumIndex', schema: PremiumIndexReply }),
        ofEach((symbol) =>
          ask({ path: '/fapi/v1/openInterest', query: { symbol }, schema: OpenInterestReply }),
        ),
        ofEach((symbol) =>
          ask({ path: '/fapi/v1/ticker/24hr', query: { symbol }, schema: DayTickerReply }).catch(
            withoutVolume,
          ),
        ),
        intervals.read(),
      ])
      const found = new Map<Coin, VenuePerpetual>()
      for (const [coin, premium] of premiums) {
        const openInterest = openInterests.get(coin)
        if (openInterest === undefined) continue
        found.set(coin, {
          ...premium,
          intervalHours: hours.get(coin) ?? DEFAULT_INTERVAL_HOURS,
          openInterest,
          openInterestUsd: openInterest * premium.markPrice,
          volume24hUsd: volumes.get(coin),
        })
      }
      return found
    },
    settledFundings: (coin, days) =>
      ask({
        path: '/fapi/v1/fundingRate',
        query: { symbol: symbolOf(coin), startTime: clock.now() - days * DAY_MS, limit: MAX_FUNDINGS },
        schema: FundingHistoryReply,
      }),
    pastOpenInterest: (coin) =>
      ask({
        path: '/futures/data/openInterestHist',
        query: { symbol: symbolOf(coin), period: '1h', limit: PAST_HOURS },
        schema: OpenInterestHistoryReply,
      }),
  }
}

/** Volume is all that the ticker is asked for, and the venue is worth telling without it. */
const withoutVolume = (): ReadonlyMap<Coin, number> => new Map()

const symbolOf = (coin: Coin) => `${coin}USDT`
