import { SECOND_MS } from '../../../core/time/time.ts'
import type { ExchangeOrder } from '../../../upstreams/polymarket/trading/exchange-order.ts'
import type { VenueMarket, VenueOrder } from '../venue.ts'
import { Refusal } from './refusal.ts'

/** A signed order as it came, with what is told beside the signed part. */
export type PostedOrder = {
  order: ExchangeOrder
  kind: VenueOrder['kind']
  postOnly: boolean
  expirationS: number
}
export type OrderTerms = Pick<VenueOrder, 'priceE4' | 'sharesE6' | 'spendE6' | 'expiresMs'>

/** A billion shares or dollars: far more than there is, and exact as a number. */
const MAX_AMOUNT = 10n ** 15n
const ONE_E4 = 10_000
const CENT = 10_000n
/** An order that expires must live for this long. */
const MIN_LIFE_S = 60

/** Price and size follow from the signed amounts. Throws a `Refusal` where they break the rules of the market. */
export function toOrderTerms(posted: PostedOrder, market: VenueMarket, nowMs: number): OrderTerms {
  const { order, kind, expirationS } = posted
  const isBuy = order.side === 'BUY'
  const [dollars, shares] = isBuy
    ? [order.makerAmount, order.takerAmount]
    : [order.takerAmount, order.makerAmount]
  if (dollars <= 0n || shares <= 0n || dollars > MAX_AMOUNT || shares > MAX_AMOUNT)
    throw new Refusal(400, 'invalid amounts: maker and taker amount must be above 0')
  const isMarket = kind === 'FOK' || kind === 'FAK'
  checkDecimals(order, isMarket, market.tickE4)
  const priceE4 = toPriceE4({ dollars, shares, tickE4: market.tickE4, isRounded: isMarket && isBuy })
  return {
    priceE4,
    sharesE6: Number(shares),
    ...(isMarket && isBuy && { spendE6: Number(dollars) }),
    expiresMs: toExpiry(kind, expirationS, nowMs),
  }
}

function checkDecimals({ side, makerAmount, takerAmount }: ExchangeOrder, isMarket: boolean, tickE4: number) {
  // Shares have two decimals; what a price of two or three decimals makes of them has four or five.
  const fine = tickE4 < 100 ? 10n : 100n
  const [maker, taker] = isMarket || side === 'SELL' ? [CENT, fine] : [fine, CENT]
  if (makerAmount % maker === 0n && takerAmount % taker === 0n) return
  const digits = (unit: bigint) => 7 - unit.toString().length
  throw new Refusal(
    400,
    `invalid amounts, the ${isMarket ? 'market ' : ''}${side.toLowerCase()} orders maker amount supports a max accuracy of ${digits(maker)} decimals, taker amount a max of ${digits(taker)} decimals`,
  )
}

type Ratio = { dollars: bigint; shares: bigint; tickE4: number; isRounded: boolean }

/** The shares of a market buy are rounded, so that its price is only near a tick. */
function toPriceE4({ dollars, shares, tickE4, isRounded }: Ratio): number {
  const priceE4 = Math.round((Number(dollars) * ONE_E4) / Number(shares) / tickE4) * tickE4
  if (priceE4 < tickE4 || priceE4 > ONE_E4 - tickE4) throw new Refusal(400, tickText(priceE4))
  const off = dollars * BigInt(ONE_E4) - BigInt(priceE4) * shares
  const slack = isRounded ? BigInt(priceE4) * CENT : 0n
  if (off > slack || off < -slack) throw new Refusal(400, tickText(priceE4))
  return priceE4
}

const tickText = (priceE4: number) =>
  `order is invalid. Price (${priceE4 / ONE_E4}) breaks minimum tick size rule`

function toExpiry(kind: VenueOrder['kind'], expirationS: number, nowMs: number): number | undefined {
  if (kind !== 'GTD') {
    if (expirationS === 0) return undefined
    throw new Refusal(400, 'invalid expiration value: only GTD orders expire')
  }
  if (expirationS * SECOND_MS < nowMs + MIN_LIFE_S * SECOND_MS)
    throw new Refusal(400, 'invalid expiration value: it must be at least one minute from now')
  return expirationS * SECOND_MS
}
