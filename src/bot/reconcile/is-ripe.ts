import { MINUTE_MS } from '../../core/time/time.ts'
import type { OrderRow, ResolutionRow } from '../../ledger/ports/bot-book.ts'
import { isFinal } from '../account/fills.ts'
import { isDue } from '../is-due.ts'

/** A fill is final within seconds, unless the chain is slow. What has taken so long is taken as it is. */
const RIPE_ANYWAY_MS = 10 * MINUTE_MS

/** Whether the orders of a market can be settled and redeemed. A venue may never say that a fill is final. */
export const isRipe = (
  orders: readonly OrderRow[],
  resolution: Pick<ResolutionRow, 'atMs'> | undefined,
  nowMs: number,
): boolean =>
  orders.every(isFinal) ||
  (resolution !== undefined &&
    orders.every(({ state }) => state === 'closed') &&
    isDue(nowMs, resolution.atMs, RIPE_ANYWAY_MS))
