import type { FillRow, OrderRow } from '../../ledger/ports/bot-book.ts'

/** Fills that moved something, or may have. A failed one moved nothing. */
export const goodFills = ({ fills }: OrderRow): readonly FillRow[] =>
  fills.filter(({ state }) => state !== 'failed')

export const tookSomething = (order: OrderRow): boolean => order.fills.some(({ state }) => state !== 'failed')

/** False while the venue may still say that a fill came to nothing. */
export const isFinal = (order: OrderRow): boolean =>
  order.state === 'closed' && order.fills.every(({ state }) => state !== 'matched')

type Sums = { sharesE6: bigint; notionalE6: bigint; feeE6: bigint }

export function sumFills(orders: readonly OrderRow[]): Sums {
  const sums = { sharesE6: 0n, notionalE6: 0n, feeE6: 0n }
  for (const order of orders)
    for (const fill of goodFills(order)) {
      sums.sharesE6 += fill.sharesE6
      sums.notionalE6 += fill.notionalE6
      sums.feeE6 += fill.feeE6
    }
  return sums
}

/** Bought less sold, of orders of one token. Never below zero: nothing is ever sold short. */
export function sharesHeld(orders: readonly OrderRow[]): bigint {
  const bought = sumFills(orders.filter(({ side }) => side === 'BUY')).sharesE6
  const sold = sumFills(orders.filter(({ side }) => side === 'SELL')).sharesE6
  return bought > sold ? bought - sold : 0n
}
