import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { BrokerName } from '../../ledger/ports/bot-book.ts'
import type { Direction } from '../../signals/signal.ts'
import type { DayFigures } from '../account/day-figures.ts'
import { tookSomething } from '../account/fills.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { BreakerKeeper } from '../breaker.ts'
import type { ConfigKeeper } from '../config/config-keeper.ts'
import { noBroker } from '../no-broker.ts'
import type { BotPorts } from '../ports.ts'
import type { VenueWatch } from '../venue-watch.ts'
import type { Look } from './look.ts'

/** Gathers what one look sees, from memory only: what is decided on is of one moment. */
export type TakeLook = (coin: Coin, windowStartS: number, bossSignal: Direction | undefined) => Look

type Ports = Pick<BotPorts, 'signals' | 'markets' | 'whyNoLive'> & {
  clock: Clock
  config: Pick<ConfigKeeper, 'read' | 'broker'>
  breaker: Pick<BreakerKeeper, 'read'>
  view: Pick<LedgerView, 'ordersOf' | 'orders'>
  day: DayFigures
  watchOf(broker: BrokerName): VenueWatch | undefined
}

export function createTakeLook(ports: Ports): TakeLook {
  const { clock, config, breaker, view, day, signals, markets, watchOf } = ports
  return (coin, windowStartS, bossSignal) => {
    const broker = config.broker()
    const watch = watchOf(broker)
    return {
      atMs: clock.now(),
      coin,
      windowStartS,
      broker,
      config: config.read().config,
      signal: signals.signal(coin),
      signalMissing: signals.missing(coin),
      market: markets.open(coin),
      marketMissing: markets.missing(coin),
      skewMs: watch?.skewMs(),
      cashE6: watch && freeCash(watch, view, broker),
      obstacles: watch?.obstacles() ?? noBroker(ports),
      bossSignal,
      hasOrder: view
        .ordersOf(coin, windowStartS)
        .some((order) => order.state === 'open' || tookSomething(order)),
      day: day(broker, windowStartS),
      breaker: breaker.read(broker),
    }
  }
}

/** No order is under way for so long that a later reading of the balance does not know of it. */
const LONGEST_ORDER_MS = 2 * MINUTE_MS

/** The balance less what orders may take that it does not know of yet; never below 0. */
function freeCash(
  watch: VenueWatch,
  view: Pick<LedgerView, 'orders'>,
  broker: BrokerName,
): bigint | undefined {
  const cash = watch.cash()
  if (!cash) return undefined
  let free = cash.amountE6
  const orders = view.orders()
  for (let at = orders.length - 1; at >= 0; at--) {
    const order = orders[at]
    if (!order || order.createdMs < cash.atMs - LONGEST_ORDER_MS) break
    const isKnown = order.closedMs !== undefined && order.closedMs < cash.atMs
    if (order.broker === broker && order.side === 'BUY' && !isKnown)
      free -= (order.spendE6 ?? 0n) + order.maxFeeE6
  }
  return free > 0n ? free : 0n
}
