import type { Level } from '../../core/level.ts'
import { divideUp, findMillionths } from '../../market/prediction/millionths.ts'
import { findFeeBound } from './fee-bound.ts'
import { findCostE6, limitPriceE4, MAX_PRICE_E4, MIN_PRICE_E4, toPriceE6 } from './limit-price.ts'
import type { Look } from './look.ts'
import type { Side } from './side.ts'
import { findOurTickE4 } from './tradable.ts'

/** What may bound a purchase, in the order in which one of equal ones is named. */
const CAPS = ['size', 'cash', 'depth', 'kelly'] as const
type Cap = (typeof CAPS)[number]

/** What was worked out on the way, as far as it came; amounts in millionths. */
export type Reckoning = {
  askE4?: number
  /** Of a share at the best ask, after its fee. */
  edgeE6?: bigint
  limitE4?: number
  caps?: Partial<Record<Cap, bigint>>
  /** The smallest of them. */
  bound?: Cap
}
export type Terms =
  | { priceE4: number; tickE4: number; spendE6: bigint; maxFeeE6: bigint; reckoning: Reckoning }
  | { reason: string; reckoning: Reckoning }

const ONE = 1_000_000n
const CENT_E6 = 10_000n
/** The venue takes no purchase at once of less. */
export const MIN_SPEND_E6 = 1_000_000n
/** Of the stake after which wealth grows fastest if our probabilities are right, which they are not quite. */
const KELLY_PART = 4n

/**
 * The price and size of a purchase of at most `wantedE6`, or the reason why there is none. Without a probability
 * neither edge nor Kelly are asked. All amounts are rounded against us.
 */
export function purchaseTerms(
  { market, cashE6 }: Pick<Look, 'market' | 'cashE6'>,
  { outcome, probabilityE6 }: Side,
  wantedE6: bigint,
): Terms {
  const reckoning: Reckoning = {}
  const none = (reason: string): Terms => ({ reason, reckoning })
  if (!market || cashE6 === undefined) return none('no_market')
  const { asks, bids } = outcome === 'UP' ? market.up : market.down
  const { fee, tickSize } = market.market
  const tickE4 = findOurTickE4(tickSize)
  if (tickE4 === undefined) return none('market_closed')
  const askE4 = findAskE4(asks, tickE4)
  if (askE4 === undefined) return none('no_asks')
  reckoning.askE4 = askE4
  const isCrossed = bids[0] && asks[0] && !(bids[0][0] < asks[0][0])
  if (isCrossed) return none('book_crossed')
  if (!(askE4 >= MIN_PRICE_E4 && askE4 <= MAX_PRICE_E4)) return none('price_range')
  const costE6 = findCostE6(fee, askE4)
  if (costE6 !== undefined && probabilityE6 !== undefined) reckoning.edgeE6 = probabilityE6 - costE6
  const limitE4 = limitPriceE4({ askE4, tickE4, fee, probabilityE6 })
  if (limitE4 === undefined) return none('edge')
  reckoning.limitE4 = limitE4
  const bound = findFeeBound(fee, { tickE4, limitE4 })
  const limitCostE6 = findCostE6(fee, limitE4)
  if (!bound || limitCostE6 === undefined) return none('market_closed')
  const caps: Partial<Record<Cap, bigint>> = {
    size: wantedE6,
    cash: bound.spendWithin(cashE6),
    depth: depthE6(asks, toPriceE6(limitE4)),
    ...(probabilityE6 !== undefined && {
      kelly: kellyE6({ cashE6, probabilityE6, costE6: limitCostE6, priceE6: toPriceE6(limitE4) }),
    }),
  }
  const least = leastOf(caps)
  Object.assign(reckoning, { caps, bound: least.cap })
  const spendE6 = least.amountE6 - (least.amountE6 % CENT_E6)
  if (spendE6 < MIN_SPEND_E6) return none(least.cap)
  return { priceE4: limitE4, tickE4, spendE6, maxFeeE6: bound.maxFeeE6(spendE6), reckoning }
}

/** On the tick. Rounds up. */
function findAskE4([best]: readonly Level[], tickE4: number): number | undefined {
  const [priceE6, sizeE6] = [findMillionths(best?.[0]), findMillionths(best?.[1])]
  if (!priceE6 || !sizeE6 || priceE6 >= ONE) return undefined
  return Number(divideUp(priceE6, toPriceE6(tickE4))) * tickE4
}

/** What the asks up to a price cost, without fees. Floors. Ends at what is no level. */
function depthE6(asks: readonly Level[], limitE6: bigint): bigint {
  let sumE6 = 0n
  let lastE6 = 0n
  for (const [price, size] of asks) {
    const [priceE6, sizeE6] = [findMillionths(price), findMillionths(size)]
    if (!priceE6 || sizeE6 === undefined || priceE6 > limitE6 || priceE6 < lastE6) break
    sumE6 += (priceE6 * sizeE6) / ONE
    lastE6 = priceE6
  }
  return sumE6
}

type Stake = { cashE6: bigint; probabilityE6: bigint; costE6: bigint; priceE6: bigint }

/** A part of the stake by Kelly, (probability − cost) / (1 − cost) of the cash, without its fee. Floors. */
function kellyE6({ cashE6, probabilityE6, costE6, priceE6 }: Stake): bigint {
  if (cashE6 <= 0n || probabilityE6 <= costE6 || costE6 >= ONE) return 0n
  const stakeE6 = (cashE6 * (probabilityE6 - costE6)) / (KELLY_PART * (ONE - costE6))
  return (stakeE6 * priceE6) / costE6
}

function leastOf(caps: Partial<Record<Cap, bigint>>): { cap: Cap; amountE6: bigint } {
  let least: { cap: Cap; amountE6: bigint } = { cap: 'size', amountE6: caps.size ?? 0n }
  for (const cap of CAPS) {
    const amountE6 = caps[cap]
    if (amountE6 !== undefined && amountE6 < least.amountE6) least = { cap, amountE6 }
  }
  return least
}
