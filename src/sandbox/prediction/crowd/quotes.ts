import { DOLLAR_E4, LOT_E6 } from '../book/amounts.ts'
import type { Resting } from '../book/order-book.ts'
import type { Exchange } from '../exchange.ts'
import type { Listing } from '../listing.ts'
import type { AmountE6, PriceE4 } from '../venue.ts'

/** Where a maker wants to stand: the best prices, and how many levels behind them. Prices are the first token's. */
export type Ladder = {
  bidE4: PriceE4
  askE4: PriceE4
  levels: number
  stepE4: PriceE4
  sizeE6: (level: number) => AmountE6
}

/** The orders of one maker in one book. A maker owns nothing: its bids buy the first token, its asks the second. */
export type Quotes = {
  /** Moves to the ladder; what already stands there keeps its place in the queue. Never crosses the book. */
  move(ladder: Ladder, atMs: number): void
  /** Withdraws what is better than these prices. */
  retreat(bidE4: PriceE4, askE4: PriceE4): void
  /** Something was mostly taken. */
  isWorn(): boolean
  withdraw(): void
}

type Quote = { order: Resting; fullE6: AmountE6 }

export function createQuotes(exchange: Exchange, listing: Listing, wallet: string): Quotes {
  const { market, book } = listing
  const quotes = new Map<number, Quote>()
  const drop = (key: number, { order }: Quote) => {
    book.remove(order)
    quotes.delete(key)
  }
  const add = (key: number, isBid: boolean, priceE4: PriceE4, fullE6: AmountE6, atMs: number) => {
    const order: Resting = {
      id: exchange.ids.order(atMs),
      wallet,
      token: isBid ? 0 : 1,
      side: 'BUY',
      isBid,
      priceE4,
      leftE6: fullE6,
    }
    book.add(order)
    quotes.set(key, { order, fullE6 })
  }
  const moveSide = (isBid: boolean, topE4: PriceE4, ladder: Ladder, atMs: number) => {
    const away = isBid ? -ladder.stepE4 : ladder.stepE4
    const wanted = new Set<number>()
    for (let level = 0; level < ladder.levels; level++) {
      const priceE4 = topE4 + level * away
      if (priceE4 >= market.tickE4 && priceE4 <= DOLLAR_E4 - market.tickE4) wanted.add(keyOf(isBid, priceE4))
    }
    for (const [key, quote] of quotes)
      if (quote.order.isBid === isBid && (!wanted.has(key) || isWorn(quote))) drop(key, quote)
    let level = 0
    for (const key of wanted) {
      if (!quotes.has(key)) add(key, isBid, priceOf(key), wholeLots(ladder.sizeE6(level)), atMs)
      level++
    }
  }
  const retreat = (bidE4: PriceE4, askE4: PriceE4) => {
    for (const [key, quote] of quotes) {
      const { isBid, priceE4 } = quote.order
      if (isBid ? priceE4 > bidE4 : priceE4 < askE4) drop(key, quote)
    }
  }
  return {
    retreat,
    move(ladder, atMs) {
      retreat(ladder.bidE4, ladder.askE4)
      const facingAsk = book.best(false) ?? DOLLAR_E4
      moveSide(true, Math.min(ladder.bidE4, facingAsk - market.tickE4), ladder, atMs)
      const facingBid = book.best(true) ?? 0
      moveSide(false, Math.max(ladder.askE4, facingBid + market.tickE4), ladder, atMs)
    },
    isWorn: () => [...quotes.values()].some(isWorn),
    withdraw() {
      for (const [key, quote] of quotes) drop(key, quote)
    },
  }
}

const keyOf = (isBid: boolean, priceE4: PriceE4): number => priceE4 * 2 + (isBid ? 1 : 0)
const priceOf = (key: number): PriceE4 => Math.floor(key / 2)
const isWorn = ({ order, fullE6 }: Quote): boolean => order.leftE6 < fullE6 / 2
const wholeLots = (sharesE6: number): AmountE6 => Math.max(1, Math.round(sharesE6 / LOT_E6)) * LOT_E6
