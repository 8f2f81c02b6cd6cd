import { createDraws, createRandomStream } from '../../../core/math/random.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../core/time/time.ts'
import { DOLLAR_E4, LOT_E6 } from '../book/amounts.ts'
import type { Ladder } from '../crowd/quotes.ts'
import { createQuotes, type Quotes } from '../crowd/quotes.ts'
import { bestOffer, takeAtOnce } from '../crowd/take.ts'
import { refineTick } from '../crowd/tick-size.ts'
import type { Exchange } from '../exchange.ts'
import type { Listing } from '../listing.ts'
import { simulatedWallet } from '../market-ids.ts'
import type { AmountE6 } from '../venue.ts'
import { findOther, listOthers, type OtherMarket } from './other-markets.ts'

/** The markets beside the five-minute series: who is listed, quoted and traded. */
export type Others = {
  /** Those that are new at this time. */
  listUntil(nowMs: number): readonly Listing[]
  /** One that was listed at any time until now; it is quoted from now on if it is still traded. */
  make(slug: string, nowMs: number): Listing | undefined
  advanceTo(nowMs: number): void
}

const LIST_EVERY_MS = HOUR_MS
/** Each market is visited once in so many seconds, a few of them in each second. */
const VISIT_EVERY_S = 20
const TAKE_CHANCE = 0.25
const DRAWS_PER_VISIT = 64

/** `shownE6` is the volume at the last visit: what the market has more by now was traded here. */
type Visited = OtherMarket & { quotes: Quotes; shownE6: AmountE6; tradedE6: AmountE6 }

export function createOthers(exchange: Exchange, seed: string, isKnown: (slug: string) => boolean): Others {
  const draws = createDraws(createRandomStream(seed, 'others'))
  const maker = simulatedWallet(seed, 'other-maker')
  const taker = simulatedWallet(seed, 'other-taker')
  let visited: Visited[] = []
  /** New since the last call; they are listed first and quoted then. */
  let unseen: Visited[] = []
  let listedMs = Number.NEGATIVE_INFINITY
  let visitedS = 0
  const visit = (other: Visited, index: number, nowMs: number) => {
    const { listing, quotes } = other
    draws.seek((Math.floor(nowMs / SECOND_MS) * MARKETS_MAX + (index % MARKETS_MAX)) * DRAWS_PER_VISIT)
    if (draws.uniform() < TAKE_CHANCE) {
      const token = draws.uniform() < 0.5 ? 0 : 1
      const sharesE6 = Math.ceil(-Math.log(draws.uniform()) * 30) * 1e6
      const priceE4 = bestOffer(listing, token)
      if (priceE4 !== undefined)
        takeAtOnce(exchange, listing, { wallet: taker, token, priceE4, sharesE6 }, nowMs)
    }
    quotes.move(ladderOf(other, nowMs, draws.normal), nowMs)
    refineTick(exchange, listing, nowMs)
    countVolume(other, nowMs)
    exchange.flush(listing, nowMs)
  }
  const furnish = (other: OtherMarket, nowMs: number) => {
    const quotes = createQuotes(exchange, other.listing, maker)
    const fresh = { ...other, quotes, shownE6: 0, tradedE6: 0 }
    countVolume(fresh, nowMs)
    if (other.listing.market.acceptingOrders) unseen.push(fresh)
    return other.listing
  }
  return {
    listUntil(nowMs) {
      if (nowMs - listedMs < LIST_EVERY_MS) return []
      listedMs = nowMs
      return listOthers(seed, nowMs, isKnown).map((other) => furnish(other, nowMs))
    },
    make(slug, nowMs) {
      const other = findOther(seed, slug, nowMs)
      return other && furnish(other, nowMs)
    },
    advanceTo(nowMs) {
      const second = Math.floor(nowMs / SECOND_MS)
      if (second === visitedS) return
      visitedS = second
      for (const other of unseen) visit(other, visited.push(other), nowMs)
      unseen = []
      if (visited.some(({ listing }) => !listing.market.acceptingOrders))
        visited = visited.filter(({ listing }) => listing.market.acceptingOrders)
      for (let i = second % VISIT_EVERY_S; i < visited.length; i += VISIT_EVERY_S)
        visit(visited[i] as Visited, i, nowMs)
    },
  }
}

const MARKETS_MAX = 1024

/** Busy markets are quoted close and deep. */
function ladderOf({ listing, course, choice }: Visited, nowMs: number, normal: () => number): Ladder {
  const { tickE4 } = listing.market
  const usdPerDay = course.volumeUsd(choice, nowMs) - course.volumeUsd(choice, nowMs - DAY_MS)
  const halfE4 = tickE4 * (0.4 + 2.5 / (1 + usdPerDay / 2_000) ** 0.4)
  const centerE4 = course.probabilityOf(choice, nowMs) * DOLLAR_E4
  const shares = Math.min(MOST_SHARES, 30 + 2 * Math.sqrt(usdPerDay))
  return {
    bidE4: Math.floor((centerE4 - halfE4) / tickE4) * tickE4,
    askE4: Math.ceil((centerE4 + halfE4) / tickE4) * tickE4,
    levels: usdPerDay > 20_000 ? 6 : 3,
    stepE4: tickE4,
    sizeE6: (level) => shares * (1 + level / 2) * Math.exp(0.5 * normal()) * 1e6,
  }
}

const MOST_SHARES = 5_000

function countVolume(other: Visited, nowMs: number): void {
  const { listing, course, choice } = other
  const toE6 = (usd: number) => Math.round(usd * 100) * LOT_E6
  const { market } = listing
  other.tradedE6 += market.volumeE6 - other.shownE6
  const usd = course.volumeUsd(choice, nowMs)
  market.volumeE6 = toE6(usd) + other.tradedE6
  market.volume24hE6 = Math.min(market.volumeE6, toE6(usd - course.volumeUsd(choice, nowMs - DAY_MS)))
  market.lastTradeE4 ??=
    Math.round((course.probabilityOf(choice, nowMs) * DOLLAR_E4) / market.tickE4) * market.tickE4
  other.shownE6 = market.volumeE6
}
