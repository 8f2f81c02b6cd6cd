import { describeError } from '../../../core/describe-error.ts'
import type { Log } from '../../../core/log.ts'
import { type Clock, sleep } from '../../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import { WINDOW_S } from '../../../core/time/window.ts'
import type { PlannedOrder } from '../../../ledger/ports/bot-book.ts'
import type { Placement, Trading } from '../../../upstreams/polymarket/trading/trading.ts'
import { TradingError } from '../../../upstreams/polymarket/trading/trading-error.ts'
import type { Broker, Placed, SentOrder } from '../broker.ts'
import { toTradeOrder } from '../trade-order.ts'
import { asking } from '../venue-fault.ts'
import { judgeOrder } from './judge-order.ts'
import { createSentOrders } from './sent-orders.ts'
import { createUnknownStatuses } from './unknown-statuses.ts'

export type Placing = Pick<Broker, 'orderIdOf' | 'place'> & {
  /** Asks the venue once. */
  look(order: SentOrder): Promise<Placed>
}

/** An order that is older is not sent, so that it is known when it could last have been. */
const SEND_WITHIN_MS = 10 * SECOND_MS
/**
 * An order that the venue shows no trace of by then was never there: sent within 10 s, a try takes at most 25 s, a
 * second one after a 401 as long, and the venue refuses requests that were signed more than a minute ago.
 */
const NEVER_AFTER_MS = 2 * MINUTE_MS
/** Our clock and the venue's may differ. */
const TRADES_BEFORE_MS = 10 * MINUTE_MS
/** No order of ours takes anything so long after the end of its window; the venue stops taking them within a minute. */
const OVER_AFTER_END_MS = 10 * MINUTE_MS
/** The venue matches after 150 ms and writes it down soon after that. */
const LOOK_AFTER_MS = [400, SECOND_MS, 2 * SECOND_MS]

type Input = {
  clock: Clock
  log: Pick<Log, 'warn'>
  trading: Trading
  onPlaced: (placement: Placement) => void
}

export function createPlacing({ clock, log, trading, onPlaced }: Input): Placing {
  const sent = createSentOrders(clock.now())
  const noteStatuses = createUnknownStatuses(log)
  const orderIdOf = async (order: PlannedOrder) => trading.orderIdOf(toTradeOrder(order))
  /** By both clocks, whichever of them is wrong. */
  const isPast = async (ms: number) => clock.now() >= ms && (await trading.serverTimeMs()) >= ms
  const see = async (order: SentOrder, orderId: string): Promise<Placed> => {
    const view = await trading.order(orderId).catch(toUnreadable)
    // After the order, so that all that it counts as matched can be there.
    const all = await trading.trades(order.createdMs - TRADES_BEFORE_MS, order.conditionId)
    const trades = all.filter((trade) => trade.orderId.toLowerCase() === orderId)
    noteStatuses(trades)
    const state = view === 'unreadable' ? view : view?.state
    // Nothing of ours may rest; the next look sees what became of it.
    if (state === 'live') await trading.cancel(orderId).catch(toUncanceled)
    return judgeOrder(order, {
      ...{ orderId, view, trades, isAccepted: order.acceptedMs !== undefined },
      isLongAgo: !view && (await isPast(order.createdMs + NEVER_AFTER_MS)),
      isWindowOver:
        view !== undefined && (await isPast((order.windowStartS + WINDOW_S) * SECOND_MS + OVER_AFTER_END_MS)),
    })
  }
  const look = async (order: SentOrder): Promise<Placed> => {
    const orderId = await orderIdOf(order).catch(toUnfit)
    if (typeof orderId !== 'string') return orderId
    // One answer that breaks the format, for ever perhaps, must not hold up all others.
    return asking(see(order, orderId).catch(unlessMalformed(orderId)))
  }
  /** Something was sent: from here on nothing rejects. */
  const watch = async (order: PlannedOrder, orderId: string, reason: string, isAccepted: boolean) => {
    let placed: Placed = { state: 'open', orderId, fills: [], reason }
    for (const waitMs of LOOK_AFTER_MS) {
      await sleep(clock, waitMs)
      placed = await see(order, orderId).catch(
        (error: unknown): Placed => ({ state: 'open', orderId, fills: [], reason: describeError(error) }),
      )
      if (placed.state === 'closed') return placed
    }
    return placed.state === 'open' ? { ...placed, isAccepted } : placed
  }
  return {
    orderIdOf,
    look,
    async place(order) {
      const orderId = await orderIdOf(order).catch(toUnfit)
      if (typeof orderId !== 'string') return orderId
      const isTimely = Math.abs(clock.now() - order.createdMs) <= SEND_WITHIN_MS
      if (!isTimely) return look(order)
      const isFirst = sent.add(orderId, order.createdMs)
      const placement = await asking(trading.place(toTradeOrder(order)))
      onPlaced(placement)
      if (placement.state === 'unknown')
        return { state: 'open', orderId, fills: [], reason: placement.reason }
      if (placement.state !== 'refused')
        return watch(order, orderId, `the venue says ${placement.state}`, TAKEN.includes(placement.state))
      const { reason, retryAfterMs } = placement
      // Of an order that may have been sent before, a refusal says nothing about that try.
      return isFirst ? { state: 'refused', reason, retryAfterMs } : watch(order, orderId, reason, false)
    },
  }
}

/** What it says of an order that it has taken, and that may have taken something. */
const TAKEN: readonly Placement['state'][] = ['matched', 'delayed', 'live', 'other']

const isMalformed = (error: unknown): error is TradingError =>
  error instanceof TradingError && error.fault === 'malformed'

function toUnreadable(error: unknown): 'unreadable' {
  if (isMalformed(error)) return 'unreadable'
  throw error
}

const unlessMalformed =
  (orderId: string) =>
  (error: unknown): Placed => {
    if (isMalformed(error)) return { state: 'open', orderId, fills: [], reason: error.message }
    throw error
  }

/** An order that could not be canceled is looked at again. */
function toUncanceled(error: unknown): false {
  if (error instanceof TradingError) return false
  throw error
}

/** Terms that cannot be signed were never sent. */
function toUnfit(error: unknown): Placed {
  if (error instanceof RangeError) return { state: 'refused', reason: error.message }
  throw error
}
