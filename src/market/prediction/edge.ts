import type { Level } from '../../core/level.ts'
import type { TakerFee } from '../../upstreams/polymarket/five-minute-market.ts'
import { findMillionths } from './millionths.ts'
import { type Purchase, priceAfterFees, purchaseAvailable } from './purchase.ts'

/** What a share is worth to us above what it costs, per share and altogether, in millionths of a dollar. */
export type Edge = { purchase: Purchase; price: bigint; edge: bigint; expectedValue: bigint }

export type Side = 'UP' | 'DOWN'
export type Edges = Record<Side, Edge | undefined>
type Asks = { up: readonly Level[]; down: readonly Level[] }
type Terms = { minShares: number; fee: TakerFee | undefined }

const ONE = 1_000_000n

/** Of both sides; undefined where nothing can be bought or the probability is none. */
export function edgesOf(probabilityUp: number, asks: Asks, terms: Terms): Edges {
  const up = probabilityUp <= 1 ? findMillionths(probabilityUp) : undefined
  return {
    UP: up === undefined ? undefined : edgeOf(up, asks.up, terms),
    DOWN: up === undefined ? undefined : edgeOf(ONE - up, asks.down, terms),
  }
}

/** The side with the larger edge, if one has any; UP of two equal ones. */
export function bestSideOf({ UP, DOWN }: Edges): Side | undefined {
  const [up, down] = [UP?.edge ?? 0n, DOWN?.edge ?? 0n]
  if (up <= 0n && down <= 0n) return undefined
  return up >= down ? 'UP' : 'DOWN'
}

/** A winning share pays one dollar. Rounds against us. */
function edgeOf(probability: bigint, asks: readonly Level[], { minShares, fee }: Terms): Edge | undefined {
  const purchase = purchaseAvailable(asks, minShares, fee)
  if (!purchase) return undefined
  const price = priceAfterFees(purchase)
  const payout = (probability * purchase.shares) / ONE
  return { purchase, price, edge: probability - price, expectedValue: payout - purchase.cost }
}
