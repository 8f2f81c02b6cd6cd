import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS } from '../../core/time/time.ts'
import type { BrokerName, OrderRow } from '../../ledger/ports/bot-book.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { Breaker } from '../bot.ts'
import type { Broker, Placed } from '../brokers/broker.ts'
import type { Outcomes } from '../desk/outcomes.ts'
import { forEvery } from './for-every.ts'

type Ports = {
  clock: Clock
  view: Pick<LedgerView, 'unfinished'>
  outcomes: Pick<Outcomes, 'write' | 'isUnwritten'>
  breaker: { read(broker: BrokerName): Breaker; open(reason: string): Promise<void> }
  findBroker(name: BrokerName): Broker | undefined
}

/** Every order is over within seconds, and known to be so within minutes of its window's end. */
const OVERDUE_AFTER_MS = HOUR_MS

/**
 * An order of which the venue cannot tell what became of it opens the breaker after an hour. It counts as money at risk
 * until the operator has looked at the account and reset the breaker. Then the venue is asked once more, as it may be back
 * and tell; only where it answers and still cannot tell is the order closed with what is known of it.
 */
export function createOverdueOrders(ports: Ports): () => Promise<void> {
  const { clock, view, outcomes, breaker, findBroker } = ports
  const isOverdue = ({ state, createdMs, broker, clientOrderId }: OrderRow) =>
    state === 'open' &&
    clock.now() - createdMs >= OVERDUE_AFTER_MS &&
    findBroker(broker) !== undefined &&
    !outcomes.isUnwritten(clientOrderId)
  return async () =>
    forEvery(view.unfinished().filter(isOverdue), async (order) => {
      const { isOpen, sinceMs = Number.NEGATIVE_INFINITY } = breaker.read(order.broker)
      const isDecided = !isOpen && sinceMs >= order.createdMs + OVERDUE_AFTER_MS
      if (!isDecided) return breaker.open(textOf(order))
      const placed = await findBroker(order.broker)?.find(order)
      if (placed) await outcomes.write(order, placed.state === 'open' ? closedAsKnown(order, placed) : placed)
    })
}

const closedAsKnown = (order: OrderRow, { fills }: Extract<Placed, { state: 'open' }>): Placed => ({
  state: 'closed',
  orderId: order.orderId ?? order.clientOrderId,
  fills,
  note: 'the operator reset the breaker: closed with what was known of it',
})

const textOf = ({ clientOrderId, acceptedMs }: OrderRow): string =>
  `the venue ${acceptedMs === undefined ? 'may have taken' : 'took'} the order ${clientOrderId} an hour ago and does not tell what became of it: look at the account; after a reset the venue is asked once more, and the order is closed with what is known by then`
