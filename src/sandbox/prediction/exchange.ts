import { createListeners, type Listeners } from '../market/listeners.ts'
import { collateralE6, DOLLAR_E4, priceFor, takerFeeE6 } from './book/amounts.ts'
import type { BookChange, Match, Resting, Taker } from './book/order-book.ts'
import type { Listing } from './listing.ts'
import { createIds, type Ids } from './market-ids.ts'
import type { LevelChange, PriceE4, VenueEvent, VenueFill, VenueSide } from './venue.ts'

/** Whose order it is, in the words of the order itself. */
export type Party = { orderId: string; wallet: string; side: VenueSide }

/** Matches orders, tells what happened, and names it. */
export type Exchange = {
  ids: Ids
  events: Listeners<VenueEvent>
  /** Carries out the matches of a plan that was made just before. Returns the taker's fills. */
  trade(listing: Listing, taker: Taker & Party, matches: readonly Match[], atMs: number): readonly VenueFill[]
  /** Tells how the book has changed since the last call. */
  flush(listing: Listing, atMs: number): void
}

export function createExchange(seed: string): Exchange {
  const ids = createIds(seed)
  const events = createListeners<VenueEvent>()
  const flush = (listing: Listing, atMs: number) => {
    const changes = listing.book.takeChanges()
    if (changes.length === 0) return
    listing.changedMs = atMs
    const { market } = listing
    for (const token of [0, 1] as const)
      events.emitLazily(() => ({
        type: 'book',
        market,
        tokenId: market.tokenIds[token],
        changes: changes.map((change) => seenFrom(token, change)),
        atMs,
      }))
  }
  return {
    ids,
    events,
    trade(listing, taker, matches, atMs) {
      const { market } = listing
      listing.book.take(matches)
      // Told now: a maker who puts back as much at once would leave nothing to tell, after others had heard of the trade.
      flush(listing, atMs)
      return matches.map((match) => {
        const [mine, theirs] = fillsOf(market.tokenIds, taker, match, ids, atMs)
        market.volumeE6 += collateralE6(mine.priceE4, mine.sharesE6)
        market.volume24hE6 += collateralE6(mine.priceE4, mine.sharesE6)
        market.lastTradeE4 = match.resting.priceE4
        match.resting.onFill?.(theirs)
        events.emit({ type: 'trade', market, fill: theirs })
        events.emit({ type: 'trade', market, fill: mine })
        return mine
      })
    },
    flush,
  }
}

function seenFrom(token: 0 | 1, { isBid, priceE4, sharesE6 }: BookChange): LevelChange {
  return {
    side: isBid === (token === 0) ? 'BUY' : 'SELL',
    priceE4: priceFor(token, priceE4),
    sharesE6,
  }
}

/** A match from both sides. Two buyers of different tokens pay a dollar together, two sellers get one. */
function fillsOf(
  tokenIds: readonly [string, string],
  taker: Taker & Party,
  { resting, sharesE6 }: Match,
  ids: Ids,
  atMs: number,
): [mine: VenueFill, theirs: VenueFill] {
  const takerE4 = priceFor(taker.token, resting.priceE4)
  const mine: VenueFill = {
    id: ids.fill(atMs),
    orderId: taker.orderId,
    wallet: taker.wallet,
    tokenId: tokenIds[taker.token],
    side: taker.side,
    priceE4: takerE4,
    sharesE6,
    feeE6: takerFeeE6(takerE4, sharesE6),
    role: 'TAKER',
    counter: { orderId: resting.id, wallet: resting.wallet },
    atMs,
  }
  const theirs: VenueFill = {
    id: ids.fill(atMs),
    orderId: resting.id,
    wallet: resting.wallet,
    tokenId: tokenIds[resting.token],
    side: resting.side,
    priceE4: priceFor(resting.token, resting.priceE4),
    sharesE6,
    feeE6: 0,
    role: 'MAKER',
    counter: { orderId: taker.orderId, wallet: taker.wallet },
    atMs,
  }
  return [mine, theirs]
}

/** On which side of the book an order stands, and at which price of the first token. */
export function placeInBook(
  token: 0 | 1,
  side: VenueSide,
  priceE4: PriceE4,
): Pick<Resting, 'isBid' | 'priceE4'> {
  return { isBid: (side === 'BUY') === (token === 0), priceE4: token === 0 ? priceE4 : DOLLAR_E4 - priceE4 }
}
