import { z } from 'zod'
import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { secondsRemaining, windowAt } from '../../core/time/window.ts'
import type { FiveMinuteMarkets, WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import { isoTime, WindowEdge } from '../../products/fields.ts'
import { BOOK_FRESH_MS } from '../../products/prediction-markets/open-window.ts'
import { roundMicro, shownPrice } from '../../products/prediction-markets/shown-number.ts'
import { toQuote } from '../../products/prediction-markets/to-outcome.ts'
import { Quote } from '../../products/prediction-markets/window-fields.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import { CoinName, ConditionId, Price, TokenId, WindowStart } from '../fields.ts'

const TokenQuotes = z.object({
  token_id: TokenId,
  bid: Quote.nullable().describe('Best bid; null while there is none'),
  ask: Quote.nullable().describe('Best ask; null while there is none'),
  mid: Price.nullable().describe('Of bid and ask; null while one of them is missing'),
  last: Price.nullable().describe('Price of the last trade; null where the venue does not say'),
})

/** The best prices of both outcomes of the window that is open now. */
export const WindowQuotes = z.object({
  coin: CoinName,
  slug: z.string().min(1),
  condition_id: ConditionId,
  window_start: WindowStart,
  window_end: WindowEdge,
  seconds_remaining: z.int().min(0),
  accepting_orders: z.boolean(),
  tick_size: z.number().positive(),
  min_order_size: z.number().min(0).describe('In shares'),
  book_timestamp: z.iso.datetime().describe('When the venue last confirmed both books'),
  book_age_ms: z.int().min(0),
  up: TokenQuotes,
  down: TokenQuotes,
})

type Ports = { clock: Clock; fiveMinute: Pick<FiveMinuteMarkets, 'open' | 'missing'> }
export type FoundBook = { book: WindowMarket } | { missing: string; isStale?: boolean }

/** The books of the window that is open now, or why there are none that anybody should trade on. */
export function findBook({ clock, fiveMinute }: Ports, coin: Coin): FoundBook {
  const book = fiveMinute.open(coin)
  if (!book) return { missing: fiveMinute.missing(coin) }
  const nowMs = clock.now()
  if (book.market.window.startS !== windowAt(nowMs).startS)
    return { missing: 'the window has just opened: ask again in a second' }
  const ageMs = nowMs - book.asOfMs
  if (ageMs > BOOK_FRESH_MS)
    return { missing: `the book is ${Math.round(ageMs / 1000)} s old`, isStale: true }
  return { book }
}

export function toWindowQuotes(book: WindowMarket, nowMs: number): z.input<typeof WindowQuotes> {
  const { market, up, down, asOfMs } = book
  return {
    coin: market.coin,
    slug: market.slug,
    condition_id: market.conditionId,
    window_start: market.window.startS,
    window_end: market.window.endS,
    seconds_remaining: secondsRemaining(market.window, nowMs),
    accepting_orders: market.acceptingOrders && !market.closed,
    tick_size: market.tickSize,
    min_order_size: market.minOrderSize,
    book_timestamp: isoTime(asOfMs),
    book_age_ms: Math.max(0, Math.round(nowMs - asOfMs)),
    up: toTokenQuotes(up),
    down: toTokenQuotes(down),
  }
}

function toTokenQuotes({ tokenId, bids, asks, lastTradePrice }: TokenBook): z.input<typeof TokenQuotes> {
  const [bid, ask] = [toQuote(bids[0]), toQuote(asks[0])]
  return {
    token_id: tokenId,
    bid,
    ask,
    mid: bid && ask ? roundMicro((bid.price + ask.price) / 2) : null,
    last: shownPrice(lastTradePrice),
  }
}
