import { COINS, type Coin } from '../../core/coin.ts'
import { createDraws, createRandomStream } from '../../core/math/random.ts'
import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import { FUNDING_MS, type Perpetual, smooth } from './perpetual.ts'
import type { SimFunding, SimLiquidation } from './sim-events.ts'

export const PERPETUAL_VENUES = ['binance', 'bybit', 'okx', 'hyperliquid'] as const
export type PerpetualVenueName = (typeof PERPETUAL_VENUES)[number]

/** What the simulator assumes about a venue. */
type VenueModel = {
  /** Open interest as a share of Binance's. */
  share: number
  /** Standard deviation of its premium around Binance's. */
  premiumSd: number
  intervalHours: 1 | 8
  /** Volume of a day in units of open interest. */
  turnover: number
  /** Chance that a move which liquidates at Binance does so here, and how many positions at most. */
  forced: { chance: number; max: number }
}

const MODELS: Readonly<Record<PerpetualVenueName, VenueModel>> = {
  binance: { share: 1, premiumSd: 0, intervalHours: 8, turnover: 1.8, forced: { chance: 1, max: 1 } },
  bybit: {
    share: 0.55,
    premiumSd: 0.25e-4,
    intervalHours: 8,
    turnover: 1.5,
    forced: { chance: 0.8, max: 3 },
  },
  okx: { share: 0.35, premiumSd: 0.3e-4, intervalHours: 8, turnover: 1.7, forced: { chance: 0.6, max: 2 } },
  hyperliquid: {
    share: 0.3,
    premiumSd: 0.6e-4,
    intervalHours: 1,
    turnover: 0.9,
    forced: { chance: 0, max: 0 },
  },
}
const TURNOVER_SD = 0.25
const SHARE_SD = 0.03
const SMALLER_BY = 0.5
const SIZE_SD = 0.8

/** The same perpetuals at every venue. Every value depends on seed and time only. */
export type PerpetualVenues = {
  at(venue: PerpetualVenueName, coin: Coin, atMs: number): VenueFunding
  /** Of one side, in coins; cheap at any time, since no price is needed. */
  openInterest(venue: PerpetualVenueName, coin: Coin, atMs: number): number
  /** The rate that was settled at `fundingMs`, a multiple of the venue's interval, for one interval. */
  settled(venue: PerpetualVenueName, coin: Coin, fundingMs: number): number
  /** What the venue has to tell of while a position is liquidated at Binance. */
  liquidations(venue: PerpetualVenueName, forced: SimLiquidation): readonly SimLiquidation[]
  intervalMs(venue: PerpetualVenueName): number
}
/** `rate` is for one interval of the venue; open interest is of one side, in coins. */
export type VenueFunding = SimFunding & { volume24hUsd: number }

export function createPerpetualVenues(seed: string, base: Perpetual): PerpetualVenues {
  const streams = new Map(
    PERPETUAL_VENUES.flatMap((venue) =>
      COINS.map(
        (coin) => [`${venue}/${coin}`, createRandomStream(seed, `perpetual/${venue}/${coin}`)] as const,
      ),
    ),
  )
  const streamOf = (venue: PerpetualVenueName, coin: Coin) =>
    streams.get(`${venue}/${coin}`) ?? createRandomStream(seed, `${venue}/${coin}`)
  const draws = createDraws(createRandomStream(seed, 'forced-elsewhere'))
  const intervalMs = (venue: PerpetualVenueName) => MODELS[venue].intervalHours * HOUR_MS

  const premium = (venue: PerpetualVenueName, coin: Coin, atMs: number) =>
    MODELS[venue].premiumSd * smooth(streamOf(venue, coin), atMs / FUNDING_MS)
  const toInterval = (venue: PerpetualVenueName, rate8h: number) => (rate8h * MODELS[venue].intervalHours) / 8
  // Offsets keep these positions of the random stream apart from those of the premium.
  const openInterestAt = (venue: PerpetualVenueName, coin: Coin, atMs: number) => {
    const wave = venue === 'binance' ? 0 : smooth(streamOf(venue, coin), 1e9 + atMs / HOUR_MS)
    return base.openInterest(coin, atMs) * MODELS[venue].share * (1 + SHARE_SD * wave)
  }
  return {
    intervalMs,
    openInterest: openInterestAt,
    at(venue, coin, atMs) {
      const model = MODELS[venue]
      const there = base.at(coin, atMs)
      const own = premium(venue, coin, atMs)
      const trade = smooth(streamOf(venue, coin), 2e9 + atMs / DAY_MS)
      const openInterest = openInterestAt(venue, coin, atMs)
      const markPrice = there.markPrice * (1 + own)
      return {
        ...there,
        markPrice,
        rate: toInterval(venue, there.rate + own),
        nextFundingMs: (Math.floor(atMs / intervalMs(venue)) + 1) * intervalMs(venue),
        openInterest,
        volume24hUsd: openInterest * markPrice * model.turnover * Math.exp(TURNOVER_SD * trade),
      }
    },
    settled: (venue, coin, fundingMs) =>
      toInterval(venue, base.rate(coin, fundingMs - 1) + premium(venue, coin, fundingMs)),
    liquidations(venue, forced) {
      const { chance, max } = MODELS[venue].forced
      if (venue === 'binance') return [forced]
      const second = Math.floor(forced.atMs / 1000)
      const place = COINS.indexOf(forced.coin) * PERPETUAL_VENUES.length + PERPETUAL_VENUES.indexOf(venue)
      draws.seek((second * COINS.length * PERPETUAL_VENUES.length + place) * 16)
      if (draws.uniform() >= chance) return []
      const count = 1 + Math.floor(draws.uniform() * max)
      return Array.from({ length: count }, () => ({
        ...forced,
        size: forced.size * SMALLER_BY * Math.exp(SIZE_SD * draws.normal()),
      }))
    },
  }
}
