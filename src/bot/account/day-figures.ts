import { DAY_MS } from '../../core/time/time.ts'
import type { BrokerName, OrderRow } from '../../ledger/ports/bot-book.ts'
import type { Today } from '../bot.ts'
import { tookSomething } from './fills.ts'
import type { LedgerView } from './ledger-view.ts'
import { worstLossE6 } from './worst-loss.ts'

const DAY_S = DAY_MS / 1000

export const dayOf = (windowStartS: number): number => Math.floor(windowStartS / DAY_S)

/** Figures of the UTC day that a window belongs to. */
export type DayFigures = (broker: BrokerName, windowStartS: number) => Today

export function createDayFigures(
  view: Pick<LedgerView, 'version' | 'orders' | 'trades' | 'unsettled'>,
): DayFigures {
  const last = new Map<BrokerName, { version: number; day: number; value: Today }>()
  return (broker, windowStartS) => {
    const day = dayOf(windowStartS)
    const known = last.get(broker)
    if (known?.version === view.version && known.day === day) return known.value
    const value = figuresOf(view, broker, day)
    last.set(broker, { version: view.version, day, value })
    return value
  }
}

function figuresOf(
  view: Pick<LedgerView, 'orders' | 'trades' | 'unsettled'>,
  broker: BrokerName,
  day: number,
): Today {
  const isOwn = (row: { broker: BrokerName; windowStartS: number }) =>
    row.broker === broker && dayOf(row.windowStartS) === day
  const isPurchase = (order: OrderRow) =>
    order.side === 'BUY' && (order.state === 'open' || tookSomething(order))
  return {
    broker,
    trades: view.orders().filter((order) => isOwn(order) && isPurchase(order)).length,
    profitE6: view
      .trades()
      .filter(isOwn)
      .reduce((sum, { profitE6 }) => sum + profitE6, 0n),
    atRiskE6: view
      .unsettled()
      .filter(([first]) => first && isOwn(first))
      .reduce((sum, orders) => sum + worstLossE6(orders), 0n),
  }
}
