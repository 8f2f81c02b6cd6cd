import type { PlannedOrder } from '../../../ledger/ports/bot-book.ts'
import type { OrderView, TradeView } from '../../../upstreams/polymarket/trading/trading.ts'
import type { Placed } from '../broker.ts'
import { toFill } from './to-fill.ts'

/** What the venue says of an order: the order first, its trades after that. */
export type Seen = {
  orderId: string
  /** `unreadable`: there is an answer about it, which breaks the format. */
  view: OrderView | 'unreadable' | undefined
  trades: readonly TradeView[]
  /** So long after it could last have been sent that it cannot arrive any more. */
  isLongAgo: boolean
  /** So long after the end of its window that it cannot take anything any more. */
  isWindowOver: boolean
  /** The venue has said before that it took it. */
  isAccepted: boolean
}

const OVER: readonly OrderView['state'][] = ['matched', 'canceled', 'unmatched']

/** An order is over only where the venue says so, or its window is long over, and all of what was matched is told. */
export function judgeOrder(order: PlannedOrder, seen: Seen): Placed {
  const { orderId, view, trades } = seen
  const fills = trades.map((trade) => toFill(trade, order))
  const open = (reason: string): Placed => ({ state: 'open', orderId, fills, reason })
  const closed = (note: string | undefined): Placed => ({
    ...{ state: 'closed', orderId, fills },
    ...(note !== undefined && { note }),
  })
  if (!view) {
    if (!seen.isLongAgo) return open('the venue shows no such order yet')
    if (fills.length > 0) return closed('the venue no longer shows the order, only its trades')
    return seen.isAccepted
      ? open('the venue took it, and shows neither it nor a trade of it')
      : { state: 'refused', reason: 'the venue has never had it' }
  }
  const state = view === 'unreadable' ? view : view.state
  const isOver = view !== 'unreadable' && OVER.includes(view.state)
  if (!isOver && !seen.isWindowOver) return open(`the venue says that it is ${state}`)
  const toldE6 = trades.reduce((sum, { sharesE6 }) => sum + sharesE6, 0n)
  const matchedE6 = view === 'unreadable' ? 0n : view.matchedE6
  const isTold = toldE6 >= matchedE6 && (state !== 'matched' || toldE6 > 0n)
  if (!isTold) return open('the venue has not told all of its trades yet')
  if (!isOver) return closed(`its window is over, and the venue says that it is ${state}`)
  return closed(fills.length > 0 ? undefined : `the venue says that it is ${state}`)
}
