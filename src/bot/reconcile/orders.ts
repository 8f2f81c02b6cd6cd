import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { BrokerName, FillRow, OrderRow } from '../../ledger/ports/bot-book.ts'
import { isFinal } from '../account/fills.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { Broker, Placed } from '../brokers/broker.ts'
import type { Desk } from '../desk/desk.ts'
import type { Outcomes } from '../desk/outcomes.ts'
import { isDue } from '../is-due.ts'
import { forEvery } from './for-every.ts'

type Ports = {
  clock: Clock
  log: Log
  view: Pick<LedgerView, 'unfinished'>
  desk: Pick<Desk, 'isUnderWay'>
  outcomes: Pick<Outcomes, 'write' | 'isUnwritten'>
  /** Undefined where its credentials were taken away: its orders stay as they are. */
  findBroker(name: BrokerName): Broker | undefined
}

/** For so long an order is asked for with every pass, later once a minute. */
const YOUNG_MS = 10 * MINUTE_MS
const OLD_EVERY_MS = MINUTE_MS

/** Asks the venue about every order that is open, or has a fill that may still fail, and writes what is new. */
export function createOrderReconciler(ports: Ports): () => Promise<void> {
  const { clock, log, view, desk, outcomes, findBroker } = ports
  const askedMs = new Map<string, number>()
  const isWanted = ({ clientOrderId, createdMs }: OrderRow) =>
    clock.now() - createdMs < YOUNG_MS || isDue(clock.now(), askedMs.get(clientOrderId), OLD_EVERY_MS)
  const isBusy = ({ clientOrderId }: OrderRow) =>
    desk.isUnderWay(clientOrderId) || outcomes.isUnwritten(clientOrderId)
  const ask = async (order: OrderRow) => {
    const broker = findBroker(order.broker)
    if (!broker || isBusy(order)) return
    const { clientOrderId } = order
    askedMs.set(clientOrderId, clock.now())
    const placed = await broker.find(order)
    if (!isNews(order, placed)) return
    const row = await outcomes.write(order, placed)
    if (isFinal(row)) askedMs.delete(clientOrderId)
    log.info(
      { clientOrderId, broker: order.broker, state: row.state, fills: row.fills.length },
      'an order was reconciled',
    )
  }
  let isTold = false
  return async () => {
    const due = view.unfinished().filter((order) => !isBusy(order) && isWanted(order))
    const lost = due.filter((order) => !findBroker(order.broker)).length
    if (lost > 0 && !isTold) log.warn({ orders: lost }, 'orders wait for a broker that is not configured')
    isTold = lost > 0
    await forEvery(due, ask)
  }
}

function isNews(order: OrderRow, placed: Placed): boolean {
  if (order.state === 'open' && placed.state !== 'open') return true
  // A closed order had something to say, so the venue knew it: that it does not now is no news.
  const fills = placed.state === 'refused' ? [] : placed.fills
  return fills.some((fill) => isNewFill(order, fill))
}

const isNewFill = ({ fills }: OrderRow, { tradeId, state }: FillRow): boolean => {
  const known = fills.find((fill) => fill.tradeId === tradeId)
  return !known || (known.state === 'matched' && state !== 'matched')
}
