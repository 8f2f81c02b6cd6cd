import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS } from '../../core/time/time.ts'
import type { OrderRow } from '../../ledger/ports/bot-book.ts'
import { isFinal } from '../account/fills.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { Notes } from '../notes.ts'

type Ports = {
  clock: Clock
  view: Pick<LedgerView, 'unfinished'>
  notes: Pick<Notes, 'set'>
}

const STUCK_AFTER_MS = HOUR_MS
const LISTED = 3

/** Over for an hour, and the venue still says of a fill neither that it holds nor that it failed. */
export const isStuck = (order: OrderRow, nowMs: number): boolean =>
  order.state === 'closed' && !isFinal(order) && nowMs - order.createdMs >= STUCK_AFTER_MS

/** Tells the operator of such orders for as long as there are any. They are asked about all the same. */
export function createStuckFills({ clock, view, notes }: Ports): () => void {
  return () => {
    const stuck = view.unfinished().filter((order) => isStuck(order, clock.now()))
    notes.set('fills_unfinished', stuck.length > 0 ? textOf(stuck) : undefined)
  }
}

function textOf(stuck: readonly OrderRow[]): string {
  const ids = stuck.slice(0, LISTED).map(({ clientOrderId, broker }) => `${clientOrderId} (${broker})`)
  const more = stuck.length > LISTED ? ` and ${stuck.length - LISTED} more` : ''
  return `for an hour the venue has not said whether the fills of these orders hold: ${ids.join(', ')}${more}; they are counted as filled: look at the account`
}
