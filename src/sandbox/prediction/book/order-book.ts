import assert from 'node:assert'
import type { AmountE6, PriceE4, VenueFill, VenueLevel, VenueSide } from '../venue.ts'
import { affordableE6, collateralE6, priceFor } from './amounts.ts'

/**
 * An order in the book of a market. The book has one side of bids and one of asks, in prices of the first token: buying
 * the second token at a price is asking for 1 − price on the first.
 */
export type Resting = {
  id: string
  wallet: string
  token: 0 | 1
  side: VenueSide
  isBid: boolean
  priceE4: PriceE4
  leftE6: AmountE6
  /** Told of every fill, after `leftE6` was reduced. */
  onFill?: (fill: VenueFill) => void
}

/** Wants shares, or spends money; takes no price beyond the limit, which is the first token's. */
export type Taker = {
  token: 0 | 1
  isBid: boolean
  limitE4: PriceE4
  sharesE6: AmountE6
  spendE6: AmountE6 | undefined
}
export type Match = { resting: Resting; sharesE6: AmountE6 }
/** `isWhole`: nothing of the taker is left over. */
export type Plan = { matches: readonly Match[]; isWhole: boolean }
export type BookChange = { isBid: boolean; priceE4: PriceE4; sharesE6: AmountE6 }

export type OrderBook = {
  best(isBid: boolean): PriceE4 | undefined
  /** What the taker would get now: best price first, then the oldest order. */
  plan(taker: Taker): Plan
  /** Takes the shares of a plan that was made just before. */
  take(matches: readonly Match[]): void
  /** The order must not cross the book. */
  add(order: Resting): void
  /** False if it is not in the book. */
  remove(order: Resting): boolean
  /** Best first. */
  levels(isBid: boolean): readonly VenueLevel[]
  /** The levels that differ from those at the last call. */
  takeChanges(): readonly BookChange[]
}

type Level = { priceE4: PriceE4; totalE6: AmountE6; orders: Resting[] }

export function createOrderBook(): OrderBook {
  const bids: Level[] = []
  const asks: Level[] = []
  const changes = createChanges()
  const sideOf = (isBid: boolean) => (isBid ? bids : asks)
  const best = (isBid: boolean) => sideOf(isBid)[0]?.priceE4

  const resize = (levels: Level[], level: Level, isBid: boolean, byE6: AmountE6) => {
    changes.note(isBid, level.priceE4, level.totalE6)
    level.totalE6 += byE6
    if (level.orders.length === 0) levels.splice(levels.indexOf(level), 1)
  }
  const remove = (order: Resting) => {
    const levels = sideOf(order.isBid)
    const level = levels.find(({ priceE4 }) => priceE4 === order.priceE4)
    const index = level?.orders.indexOf(order) ?? -1
    if (!level || index < 0) return false
    level.orders.splice(index, 1)
    resize(levels, level, order.isBid, -order.leftE6)
    return true
  }
  return {
    best,
    plan: (taker) => planTake(sideOf(!taker.isBid), taker),
    take(matches) {
      for (const { resting, sharesE6 } of matches) {
        const levels = sideOf(resting.isBid)
        const level = levels.find(({ priceE4 }) => priceE4 === resting.priceE4)
        assert(level?.orders[0] === resting && resting.leftE6 >= sharesE6, 'took what the book does not hold')
        resting.leftE6 -= sharesE6
        if (resting.leftE6 === 0) level.orders.shift()
        resize(levels, level, resting.isBid, -sharesE6)
      }
    },
    add(order) {
      const facing = best(!order.isBid)
      const isApart = facing === undefined || (order.isBid ? order.priceE4 < facing : order.priceE4 > facing)
      assert(isApart && order.leftE6 > 0, 'an order that crosses is matched, not added')
      const level = levelAt(sideOf(order.isBid), order.priceE4, order.isBid)
      level.orders.push(order)
      changes.note(order.isBid, level.priceE4, level.totalE6)
      level.totalE6 += order.leftE6
    },
    remove,
    levels: (isBid) => sideOf(isBid).map(({ priceE4, totalE6 }) => [priceE4, totalE6]),
    takeChanges: () =>
      changes.take((isBid, price) => sideOf(isBid).find(({ priceE4 }) => priceE4 === price)?.totalE6 ?? 0),
  }
}

/** The level of a price, made where there is none yet. */
function levelAt(levels: Level[], priceE4: PriceE4, isBid: boolean): Level {
  let at = 0
  for (; at < levels.length; at++) {
    const level = levels[at] as Level
    if (level.priceE4 === priceE4) return level
    if (isBid ? level.priceE4 < priceE4 : level.priceE4 > priceE4) break
  }
  const made = { priceE4, totalE6: 0, orders: [] }
  levels.splice(at, 0, made)
  return made
}

function planTake(facing: readonly Level[], taker: Taker): Plan {
  const matches: Match[] = []
  let wantedE6 = taker.sharesE6
  let spendE6 = taker.spendE6
  for (const { priceE4, orders } of facing) {
    if (taker.isBid ? priceE4 > taker.limitE4 : priceE4 < taker.limitE4) break
    const ownE4 = priceFor(taker.token, priceE4)
    for (const resting of orders) {
      const mostE6 = spendE6 === undefined ? wantedE6 : affordableE6(spendE6, ownE4)
      const sharesE6 = Math.min(mostE6, resting.leftE6)
      if (sharesE6 > 0) matches.push({ resting, sharesE6 })
      if (spendE6 === undefined) wantedE6 -= sharesE6
      else spendE6 -= collateralE6(ownE4, sharesE6)
      // Money that buys less than a lot is as good as spent.
      if (sharesE6 === mostE6) return { matches, isWhole: matches.length > 0 }
    }
  }
  return { matches, isWhole: false }
}

/** Remembers the size of each level that was touched since the changes were last taken. */
function createChanges() {
  const before = new Map<number, AmountE6>()
  return {
    note(isBid: boolean, priceE4: PriceE4, totalE6: AmountE6) {
      const key = priceE4 * 2 + (isBid ? 1 : 0)
      if (!before.has(key)) before.set(key, totalE6)
    },
    take(totalOf: (isBid: boolean, priceE4: PriceE4) => AmountE6): readonly BookChange[] {
      if (before.size === 0) return []
      const changed: BookChange[] = []
      for (const [key, oldE6] of before) {
        const isBid = key % 2 === 1
        const priceE4 = Math.floor(key / 2)
        const sharesE6 = totalOf(isBid, priceE4)
        if (sharesE6 !== oldE6) changed.push({ isBid, priceE4, sharesE6 })
      }
      before.clear()
      return changed
    },
  }
}
