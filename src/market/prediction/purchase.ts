import type { Level } from '../../core/level.ts'
import type { TakerFee } from '../../upstreams/polymarket/five-minute-market.ts'
import { feeOf } from './fee.ts'
import { divideUp, findMillionths } from './millionths.ts'

/** What it takes to buy shares at once. Everything is in millionths; `cost` is `notional` with the fee. */
export type Purchase = { shares: bigint; notional: bigint; fee: bigint; cost: bigint; levels: number }

const ONE = 1_000_000n

/** Buys `shares` from the asks, best first. Undefined where they do not suffice, or are no book of prices below 1. */
export function purchaseOf(
  asks: readonly Level[],
  shares: bigint,
  fee: TakerFee | undefined,
): Purchase | undefined {
  if (shares <= 0n) return undefined
  const bought = { shares: 0n, notional: 0n, fee: 0n, levels: 0 }
  let lastPrice = 0n
  for (const [price, size] of asks) {
    const level = toLevel(price, size)
    if (!level || level.price < lastPrice) return undefined
    lastPrice = level.price
    const taken = min(shares - bought.shares, level.size)
    const levelFee = feeOf(fee, level.price, taken)
    if (levelFee === undefined) return undefined
    bought.shares += taken
    bought.notional += divideUp(level.price * taken, ONE)
    bought.fee += levelFee
    bought.levels++
    if (bought.shares === shares) return { ...bought, cost: bought.notional + bought.fee }
  }
  return undefined
}

/**
 * What can be bought at the best price: the whole best level. Where that is less than the venue takes as an order, the
 * smallest order, from as many levels as it needs. Undefined where nothing can be bought.
 */
export function purchaseAvailable(
  asks: readonly Level[],
  minShares: number,
  fee: TakerFee | undefined,
): Purchase | undefined {
  const [best] = asks
  const level = best && toLevel(...best)
  const smallest = findMillionths(minShares)
  if (!level || smallest === undefined) return undefined
  const isEnough = level.size >= smallest
  return purchaseOf(asks, isEnough ? level.size : smallest, fee)
}

/** Of one share, fee included. Rounds up. */
export const priceAfterFees = ({ cost, shares }: Purchase): bigint => divideUp(cost * ONE, shares)

function toLevel(price: number, size: number): { price: bigint; size: bigint } | undefined {
  const [of, shares] = [findMillionths(price), findMillionths(size)]
  return of && shares && of < ONE ? { price: of, size: shares } : undefined
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)
