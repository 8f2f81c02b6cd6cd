import type { Direction } from '../../../src/signals/signal.ts'
import type { TradeOrder } from '../../../src/upstreams/polymarket/trading/trading.ts'
import { check, match, settleLater, type VenueOrder, type VenueTrade, type VenueWorld } from './matching.ts'

/** The venue's own books, kept without looking at ours: cash, shares, orders, trades and what was redeemed. */
export type SimVenue = {
  readonly cashE6: bigint
  readonly lowestCashE6: bigint
  sharesOf(tokenId: string): bigint
  /** Those with shares. */
  tokens(): readonly string[]
  orders: ReadonlyMap<string, VenueOrder>
  trades: readonly VenueTrade[]
  /** Throws in the venue's words. The order is matched after the venue's delay, when the promise resolves. */
  submit(orderId: string, terms: TradeOrder): { order: VenueOrder; matched: Promise<void> }
  outcomeOf(conditionId: string): Direction | undefined
  /** Pays all winning shares; undefined where there is nothing of a resolved market. */
  redeem(conditionId: string): bigint | undefined
  redemptions: readonly { conditionId: string; amountE6: bigint; atMs: number }[]
}

const TAKER_DELAY_MS = 150

export function createSimVenue(world: VenueWorld): SimVenue {
  const { timeline, markets } = world
  const orders = new Map<string, VenueOrder>()
  const trades: VenueTrade[] = []
  const redemptions: { conditionId: string; amountE6: bigint; atMs: number }[] = []
  const shares = new Map<string, bigint>()
  let cashE6 = world.startCashE6
  let lowestCashE6 = cashE6
  const move = (moneyE6: bigint, tokenId: string, sharesE6: bigint) => {
    cashE6 += moneyE6
    if (cashE6 < lowestCashE6) lowestCashE6 = cashE6
    const left = (shares.get(tokenId) ?? 0n) + sharesE6
    if (left === 0n) shares.delete(tokenId)
    else shares.set(tokenId, left)
  }
  const outcomeOf = (conditionId: string) => {
    const market = markets.ofCondition(conditionId)
    return market && timeline.now() >= market.resolvesMs ? market.outcome : undefined
  }
  return {
    get cashE6() {
      return cashE6
    },
    get lowestCashE6() {
      return lowestCashE6
    },
    sharesOf: (tokenId) => shares.get(tokenId) ?? 0n,
    tokens: () => [...shares.keys()],
    orders,
    trades,
    redemptions,
    submit(orderId, terms) {
      if (orders.has(orderId)) throw new Error('order is duplicated')
      const market = check(terms, cashE6, shares.get(terms.tokenId) ?? 0n, world)
      const order: VenueOrder = {
        ...{ orderId, terms, market, trades: [] },
        arrivedMs: timeline.now(),
        state: 'delayed',
      }
      orders.set(orderId, order)
      const matched = timeline.sleep(TAKER_DELAY_MS).then(() => {
        order.trades = match(order, world, trades.length)
        order.state = order.trades.length > 0 ? 'matched' : 'unmatched'
        for (const trade of order.trades) {
          trades.push(trade)
          settleLater(trade, world, move)
        }
        world.trace?.(`venue: ${terms.clientOrderId} ${order.state} ${order.trades.length}`)
      })
      return { order, matched }
    },
    outcomeOf,
    redeem(conditionId) {
      const outcome = outcomeOf(conditionId)
      const market = markets.ofCondition(conditionId)
      if (!outcome || !market) return undefined
      const { up, down } = market.market.tokens
      const [won, lost] = outcome === 'UP' ? [up, down] : [down, up]
      const amountE6 = shares.get(won) ?? 0n
      if (amountE6 === 0n && (shares.get(lost) ?? 0n) === 0n) return undefined
      move(amountE6, won, -amountE6)
      move(0n, lost, -(shares.get(lost) ?? 0n))
      redemptions.push({ conditionId, amountE6, atMs: timeline.now() })
      world.trace?.(`venue: redeemed ${market.market.slug} ${amountE6}`)
      return amountE6
    },
  }
}
