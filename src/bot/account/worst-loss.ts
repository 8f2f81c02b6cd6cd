import type { OrderRow } from '../../ledger/ports/bot-book.ts'
import type { Direction } from '../../signals/signal.ts'
import { sharesHeld, sumFills } from './fills.ts'

/** What the orders of one market would lose at most, whichever way it ends, fees in it; 0 where they cannot lose. */
export function worstLossE6(orders: readonly OrderRow[]): bigint {
  const buys = orders.filter(({ side }) => side === 'BUY')
  const sold = sumFills(orders.filter(({ side }) => side === 'SELL'))
  const paid = buys.reduce((sum, order) => sum + outlayE6(order), 0n)
  const [up, down] = [sureShares(orders, 'UP'), sureShares(orders, 'DOWN')]
  const loss = paid - (sold.notionalE6 - sold.feeE6) - smaller(up, down)
  return larger(loss, 0n)
}

/** While a purchase is open, all of it may still be taken. */
function outlayE6(order: OrderRow): bigint {
  const { notionalE6, feeE6 } = sumFills([order])
  const taken = notionalE6 + feeE6
  const most = order.state === 'open' ? (order.spendE6 ?? 0n) + order.maxFeeE6 : 0n
  return larger(taken, most)
}

/** Shares of an open sale may be gone already. */
function sureShares(orders: readonly OrderRow[], outcome: Direction): bigint {
  const own = orders.filter((order) => order.outcome === outcome)
  const leaving = own.filter(({ side, state }) => side === 'SELL' && state === 'open')
  const unsold = leaving.reduce((sum, order) => sum + (order.sharesE6 ?? 0n) - sumFills([order]).sharesE6, 0n)
  return larger(sharesHeld(own) - unsold, 0n)
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
