import type { Resting, Taker } from '../book/order-book.ts'
import { type Exchange, type Party, placeInBook } from '../exchange.ts'
import type { OrderState, VenueFill } from '../venue.ts'
import type { KeptOrder, KeptOrders } from './kept-orders.ts'
import { isLimit, limitOf } from './order-rules.ts'

/** The orders that are in a book or on their way to it, and what becomes of them. */
export type OpenOrders = {
  all(): Iterable<KeptOrder>
  countOf(wallet: string): number
  rest(order: KeptOrder, atMs: number): void
  delay(order: KeptOrder, atMs: number, untilMs: number): void
  match(order: KeptOrder, atMs: number): void
  end(order: KeptOrder, status: OrderState['status'], atMs: number): void
}

export function createOpenOrders(exchange: Exchange, kept: KeptOrders): OpenOrders {
  /** Oldest first. */
  const open = new Set<KeptOrder>()
  const tell = ({ state, listing }: KeptOrder, atMs: number) =>
    exchange.events.emitLazily(() => ({ type: 'order', market: listing.market, order: { ...state }, atMs }))
  const end = (order: KeptOrder, status: OrderState['status'], atMs: number) => {
    open.delete(order)
    if (order.resting) order.listing.book.remove(order.resting)
    order.resting = undefined
    order.dueMs = undefined
    order.state.status = status
    tell(order, atMs)
  }
  const rest = (order: KeptOrder, atMs: number) => {
    const { state, listing } = order
    open.add(order)
    order.dueMs = undefined
    state.status = 'live'
    order.resting = toResting(order, (fill) => {
      kept.addFill(fill)
      state.filledE6 += fill.sharesE6
      if (state.filledE6 < state.sharesE6) tell(order, fill.atMs)
      else end(order, 'matched', fill.atMs)
    })
    listing.book.add(order.resting)
    tell(order, atMs)
  }
  return {
    all: () => open,
    countOf: (wallet) => [...open].filter(({ state }) => state.wallet === wallet).length,
    rest,
    delay(order, atMs, untilMs) {
      open.add(order)
      order.dueMs = untilMs
      order.state.status = 'delayed'
      tell(order, atMs)
    },
    match(order, atMs) {
      const { state, listing } = order
      const taker = toTaker(order)
      const { matches, isWhole } = listing.book.plan(taker)
      if (state.kind === 'FOK' && !isWhole) return end(order, 'unmatched', atMs)
      for (const fill of exchange.trade(listing, taker, matches, atMs)) {
        kept.addFill(fill)
        state.filledE6 += fill.sharesE6
      }
      if (!isLimit(state) || isWhole) end(order, matches.length > 0 ? 'matched' : 'unmatched', atMs)
      else if (listing.market.acceptingOrders) rest(order, atMs)
      else end(order, 'canceled', atMs)
    },
    end,
  }
}

const tokenOf = ({ state, listing }: KeptOrder): 0 | 1 =>
  listing.market.tokenIds[0] === state.tokenId ? 0 : 1

/** An order takes once, before anything of it is filled. */
export function toTaker(order: KeptOrder): Taker & Party {
  const { state } = order
  const token = tokenOf(order)
  return {
    orderId: state.id,
    wallet: state.wallet,
    side: state.side,
    token,
    isBid: placeInBook(token, state.side, state.priceE4).isBid,
    limitE4: limitOf(state, token),
    sharesE6: state.sharesE6,
    spendE6: state.spendE6,
  }
}

function toResting(order: KeptOrder, onFill: (fill: VenueFill) => void): Resting {
  const { state } = order
  const token = tokenOf(order)
  return {
    id: state.id,
    wallet: state.wallet,
    token,
    side: state.side,
    ...placeInBook(token, state.side, state.priceE4),
    leftE6: state.sharesE6 - state.filledE6,
    onFill,
  }
}
