import type { z } from 'zod'
import type { Level } from '../../core/level.ts'
import type { Edge } from '../../market/prediction/edge.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import { roundMicro, shownPrice } from './shown-number.ts'
import type { Outcome, Purchase, Quote } from './window-fields.ts'

/** One side of a market; `noEdge` says why there is no edge where that is known. */
export function toOutcome(
  book: TokenBook,
  probability: number,
  edge: Edge | undefined,
  noEdge: string | undefined,
): z.input<typeof Outcome> {
  const [bid, ask] = [toQuote(book.bids[0]), toQuote(book.asks[0])]
  return {
    token_id: book.tokenId,
    price: bid && ask ? roundMicro((bid.price + ask.price) / 2) : null,
    bid,
    ask,
    last: shownPrice(book.lastTradePrice),
    probability,
    edge: edge ? fromMillionths(edge.edge) : null,
    buy: edge ? toPurchase(edge) : null,
    ...(!edge && { edge_reason: noEdge ?? 'too little is for sale' }),
  }
}

export function toQuote(level: Level | undefined): z.input<typeof Quote> | null {
  if (!level) return null
  const [price, size] = [shownPrice(level[0]), roundMicro(level[1])]
  return price !== null && size >= 0 && Number.isFinite(size) ? { price, size_shares: size } : null
}

function toPurchase({ purchase, price, expectedValue }: Edge): z.input<typeof Purchase> {
  const { shares, notional, fee, cost } = purchase
  return {
    size_shares: fromMillionths(shares),
    average_price: fromMillionths((notional * 1_000_000n) / shares),
    price_after_fees: fromMillionths(price),
    fee_usd: fromMillionths(fee),
    cost_usd: fromMillionths(cost),
    expected_value_usd: fromMillionths(expectedValue),
  }
}
