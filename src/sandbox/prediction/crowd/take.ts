import { DOLLAR_E4 } from '../book/amounts.ts'
import type { Exchange } from '../exchange.ts'
import type { Listing } from '../listing.ts'
import type { AmountE6, PriceE4 } from '../venue.ts'

/** A simulated wallet buys what there is of a token, up to a size and a price of that token. */
export function takeAtOnce(
  exchange: Exchange,
  listing: Listing,
  wanted: { wallet: string; token: 0 | 1; priceE4: PriceE4; sharesE6: AmountE6 },
  atMs: number,
): void {
  const { token, priceE4, sharesE6, wallet } = wanted
  const isBid = token === 0
  const order = { token, isBid, limitE4: isBid ? priceE4 : DOLLAR_E4 - priceE4, sharesE6, spendE6: undefined }
  const { matches } = listing.book.plan(order)
  if (matches.length === 0) return
  const party = { orderId: exchange.ids.order(atMs), wallet, side: 'BUY' } as const
  exchange.trade(listing, { ...order, ...party }, matches, atMs)
}

/** Best price at which the token can be bought now. */
export function bestOffer(listing: Listing, token: 0 | 1): PriceE4 | undefined {
  const facing = listing.book.best(token === 1)
  if (facing === undefined) return undefined
  return token === 0 ? facing : DOLLAR_E4 - facing
}
