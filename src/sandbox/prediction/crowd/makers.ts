import { normalCdf } from '../../../core/math/normal-cdf.ts'
import type { Draws, RandomStream } from '../../../core/math/random.ts'
import { DOLLAR_E4, FEE_RATE } from '../book/amounts.ts'
import type { Exchange } from '../exchange.ts'
import type { Listing } from '../listing.ts'
import { driftAt } from './drift.ts'
import { createQuotes, type Ladder } from './quotes.ts'
import { bestOffer, takeAtOnce } from './take.ts'

/** How a maker of the five-minute markets works. */
export type MakerProfile = {
  name: string
  /** What it knows is this old. */
  latencyMs: number
  /** Moves its quotes at most this often. */
  everyMs: number
  /** Half of its spread in dollars where nothing moves. */
  halfSpread: number
  /** What it adds to that, in standard deviations of the move that it cannot see yet. */
  caution: number
  levels: number
  shares: number
  /** Standard deviation of its error, in standard deviations of the outcome. */
  errorZ: number
}

export const MAKERS: readonly MakerProfile[] = [
  {
    name: 'maker-1',
    latencyMs: 300,
    everyMs: 500,
    halfSpread: 0.005,
    caution: 0.3,
    levels: 2,
    shares: 60,
    errorZ: 0.02,
  },
  {
    name: 'maker-2',
    latencyMs: 400,
    everyMs: 800,
    halfSpread: 0.006,
    caution: 0.5,
    levels: 2,
    shares: 90,
    errorZ: 0.03,
  },
  {
    name: 'maker-3',
    latencyMs: 700,
    everyMs: 1500,
    halfSpread: 0.008,
    caution: 0.8,
    levels: 2,
    shares: 130,
    errorZ: 0.04,
  },
  {
    name: 'maker-4',
    latencyMs: 1200,
    everyMs: 2500,
    halfSpread: 0.01,
    caution: 1.1,
    levels: 3,
    shares: 180,
    errorZ: 0.05,
  },
  {
    name: 'maker-5',
    latencyMs: 3000,
    everyMs: 4500,
    halfSpread: 0.015,
    caution: 1.3,
    levels: 3,
    shares: 250,
    errorZ: 0.06,
  },
]
export const SLOWEST_MS = 3000

/** The probability as it was known some time ago, and how much it moves in a second. */
export type Past = (atMs: number) => { z: number; zPerRootSecond: number }

export type Maker = {
  /** `calm` stretches the time between its quotes. */
  advanceTo(atMs: number, past: Past, draws: Draws, calm: number): void
  withdraw(): void
}

export type MakerInput = {
  exchange: Exchange
  listing: Listing
  profile: MakerProfile
  wallet: string
  /** Of its error, one per coin and maker. */
  errors: RandomStream
}

const ERROR_PERIOD_MS = 40_000
/** A quote that is closer to the fair price than this part of half of the spread is withdrawn at once. */
const SAFETY = 0.6
/** What a maker wants to earn beyond the fee before it takes another's quote. */
const TAKE_EDGE = 0.003
/** As much as any maker quotes: a stale price is cleared at once. */
const TAKE_SHARES_E6 = 1_000_000_000
/** Moves by less than this part of a tick are not worth a new quote. */
const STILL_TICKS = 0.4

export function createMaker({ exchange, listing, profile, wallet, errors }: MakerInput): Maker {
  const { market } = listing
  const quotes = createQuotes(exchange, listing, wallet)
  let nextMs = 0
  let quoted = Number.NaN
  const seeFair = (atMs: number, past: Past) => {
    const { z, zPerRootSecond } = past(atMs - profile.latencyMs)
    const seenZ = z + profile.errorZ * driftAt(errors, ERROR_PERIOD_MS, atMs)
    const unseenS = profile.latencyMs / 1000
    const moves = Math.exp(-0.5 * seenZ * seenZ) * DENSITY_AT_0 * zPerRootSecond * Math.sqrt(unseenS)
    return { probability: normalCdf(seenZ), half: profile.halfSpread + profile.caution * moves }
  }
  /** Buys what others offer too cheaply, after the fee. */
  const takeStale = (probability: number, atMs: number) => {
    for (const token of [0, 1] as const) {
      const worth = token === 0 ? probability : 1 - probability
      const most = worth - FEE_RATE * worth * (1 - worth) - TAKE_EDGE
      const priceE4 = Math.floor((most * DOLLAR_E4) / market.tickE4) * market.tickE4
      if ((bestOffer(listing, token) ?? DOLLAR_E4) <= priceE4)
        takeAtOnce(exchange, listing, { wallet, token, priceE4, sharesE6: TAKE_SHARES_E6 }, atMs)
    }
  }
  return {
    advanceTo(atMs, past, draws, calm) {
      const { probability, half } = seeFair(atMs, past)
      const nearE4 = SAFETY * half * DOLLAR_E4
      quotes.retreat(probability * DOLLAR_E4 - nearE4, probability * DOLLAR_E4 + nearE4)
      if (atMs < nextMs) return
      const tick = market.tickE4 / DOLLAR_E4
      if (Math.abs(probability - quoted) < STILL_TICKS * tick && !quotes.isWorn()) return
      nextMs = atMs + calm * profile.everyMs * (0.8 + 0.4 * draws.uniform())
      quoted = probability
      const ladder = ladderAround(probability, half, market.tickE4, profile, draws)
      quotes.retreat(ladder.bidE4, ladder.askE4)
      takeStale(probability, atMs)
      quotes.move(ladder, atMs)
    },
    withdraw: quotes.withdraw,
  }
}

const DENSITY_AT_0 = 1 / Math.sqrt(2 * Math.PI)
/** With the fine tick, levels stand two ticks apart. */
const FINE_TICK_E4 = 10

function ladderAround(
  probability: number,
  half: number,
  tickE4: number,
  { levels, shares }: Pick<MakerProfile, 'levels' | 'shares'>,
  draws: Draws,
): Ladder {
  const toTicks = (price: number) => (price * DOLLAR_E4) / tickE4
  return {
    bidE4: Math.floor(toTicks(probability - half)) * tickE4,
    askE4: Math.ceil(toTicks(probability + half)) * tickE4,
    levels,
    stepE4: tickE4 === FINE_TICK_E4 ? 2 * tickE4 : tickE4,
    sizeE6: (level) => shares * (0.6 + 0.35 * level) * Math.exp(0.4 * draws.normal()) * 1e6,
  }
}
