import type { Level } from '../../../core/level.ts'
import type { OrderSide } from '../../../ledger/ports/bot-book.ts'
import type { PaperOrder } from '../../../ledger/ports/paper-book.ts'
import { findMillionths } from '../../../market/prediction/millionths.ts'
import type { FiveMinuteMarket } from '../../../upstreams/polymarket/five-minute-market.ts'
import { E4_TO_E6, type Offered } from './walk-book.ts'

/** The side of a token's book that an order takes from. */
export type Facing = { tokenId: string; side: OrderSide; levels: readonly Level[] }
type Market = Pick<FiveMinuteMarket, 'conditionId' | 'tokens'>

/**
 * What paper orders took from the levels of a live book. The venue does not know of it and shows the level as before,
 * so it counts as taken until the venue says another size of that level.
 */
export type TakenLevels = {
  /** Best first. */
  left(market: Market, facing: Facing): readonly Offered[]
  take(market: Market, facing: Facing, takes: readonly Offered[]): void
  knows(conditionId: string): boolean
  /** Fills of before this process: what size the level had is not known, so they count until it changes. */
  recall(market: Market, orders: readonly PaperOrder[]): void
}

/** `seenE6`: the size that the venue told when it was taken. */
type Taken = { seenE6: bigint | undefined; takenE6: bigint }

/** One for each coin is open, and one is just over. */
const MAX_MARKETS = 16
const DOLLAR_E4 = 10_000

export function createTakenLevels(): TakenLevels {
  const markets = new Map<string, Map<string, Taken>>()
  const levelsOf = (conditionId: string) => {
    const known = markets.get(conditionId) ?? new Map<string, Taken>()
    if (!markets.has(conditionId) && markets.size >= MAX_MARKETS)
      markets.delete(markets.keys().next().value ?? '')
    markets.set(conditionId, known)
    return known
  }
  const add = (known: Map<string, Taken>, key: string, sharesE6: bigint, seenE6: bigint | undefined) => {
    const before = known.get(key)
    known.set(key, { seenE6: before?.seenE6 ?? seenE6, takenE6: (before?.takenE6 ?? 0n) + sharesE6 })
  }
  return {
    left(market, { tokenId, side, levels }) {
      const known = levelsOf(market.conditionId)
      const place = placeOf(market, tokenId, side)
      const sizes = new Map(levels.map(([price, size]) => [toE4(price), findMillionths(size) ?? 0n]))
      for (const [key, taken] of known)
        if (key.startsWith(place.prefix) && sizes.get(place.priceOf(key)) === undefined) known.delete(key)
        else if (key.startsWith(place.prefix)) taken.seenE6 ??= sizes.get(place.priceOf(key))
      return [...sizes].map(([priceE4, sizeE6]) => {
        const key = place.keyOf(priceE4)
        const taken = known.get(key)
        if (taken && taken.seenE6 !== sizeE6) known.delete(key)
        const leftE6 = taken?.seenE6 === sizeE6 ? sizeE6 - taken.takenE6 : sizeE6
        return { priceE4, sharesE6: leftE6 > 0n ? leftE6 : 0n }
      })
    },
    take(market, { tokenId, side, levels }, takes) {
      const known = levelsOf(market.conditionId)
      const { keyOf } = placeOf(market, tokenId, side)
      for (const { priceE4, sharesE6 } of takes) {
        const level = levels.find(([price]) => toE4(price) === priceE4)
        add(known, keyOf(priceE4), sharesE6, findMillionths(level?.[1]))
      }
    },
    knows: (conditionId) => markets.has(conditionId),
    recall(market, orders) {
      const known = levelsOf(market.conditionId)
      for (const { tokenId, side, fills } of orders)
        for (const { priceE6, sharesE6 } of fills)
          add(known, placeOf(market, tokenId, side).keyOf(Number(priceE6 / E4_TO_E6)), sharesE6, undefined)
    },
  }
}

/**
 * Both tokens of a market are one book: an ask of UP at 0.40 is a bid for DOWN at 0.60. Levels are known by their place
 * on the side of UP.
 */
function placeOf({ tokens }: Market, tokenId: string, side: OrderSide) {
  const isUp = tokenId === tokens.up
  const prefix = (side === 'BUY') === isUp ? 'asks ' : 'bids '
  const turned = (priceE4: number) => (isUp ? priceE4 : DOLLAR_E4 - priceE4)
  return {
    prefix,
    keyOf: (priceE4: number) => `${prefix}${turned(priceE4)}`,
    priceOf: (key: string) => turned(Number(key.slice(prefix.length))),
  }
}

const toE4 = (price: number) => Math.round(price * DOLLAR_E4)
