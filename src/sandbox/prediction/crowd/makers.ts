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
  /** Half of its spread in dollars, without what it adds for fast markets. */
  halfSpread: number
  levels: number
  shares: number
  /** Standard deviation of its error, in standard deviations of the outcome. */
  errorZ: number
}

export const MAKERS: readonly MakerProfile[] = [
  { name: 'maker-1', latencyMs: 300, everyMs: 900, halfSpread: 0.006, levels: 2, shares: 60, errorZ: 0.02 },
  { name: 'maker-2', latencyMs: 600, everyMs: 1300, halfSpread: 0.008, levels: 2, shares: 90, errorZ: 0.03 },
  {
    name: 'maker-3',
    latencyMs: 1000,
    everyMs: 2000,
    halfSpread: 0.012,
    levels: 3,
    shares: 130,
    errorZ: 0.05,
  },
  {
    name: 'maker-4',
    latencyMs: 1800,
    everyMs: 3100,
    halfSpread: 0.018,
    levels: 4,
    shares: 180,
    errorZ: 0.07,
  },
  { name: 'maker-5', latencyMs: 3000, everyMs: 4700, halfSpread: 0.03, levels: 3, shares: 250, errorZ: 0.1 },
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
/** What a maker adds to half of its spread, in standard deviations of the move until it can react. */
const CAUTION = 0.22
/** What a maker wants to earn beyond the fee before it takes another's quote. */
const TAKE_EDGE = 0.01
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
    const reactS = (profile.latencyMs + profile.everyMs / 2) / 1000
    const moves = Math.exp(-0.5 * seenZ * seenZ) * DENSITY_AT_0 * zPerRootSecond * Math.sqrt(reactS)
    return { probability: normalCdf(seenZ), half: profile.halfSpread + CAUTION * moves }
  }
  /** Buys what others offer too cheaply, after the fee. */
  const takeStale = (probability: number, atMs: number) => {
    for (const token of [0, 1] as const) {
      const worth = token === 0 ? probability : 1 - probability
      const most = worth - FEE_RATE * worth * (1 - worth) - TAKE_EDGE
      const priceE4 = Math.floor((most * DOLLAR_E4) / market.tickE4) * market.tickE4
      if ((bestOffer(listing, token) ?? DOLLAR_E4) <= priceE4)
        takeAtOnce(exchange, listing, { wallet, token, priceE4, sharesE6: profile.shares * 1e6 }, atMs)
    }
  }
  return {
    advanceTo(atMs, past, draws, calm) {
      if (atMs < nextMs) return
      const { probability, half } = seeFair(atMs, past)
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
