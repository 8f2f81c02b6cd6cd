import { countText } from '../../core/count-text.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { BrokerName } from '../../ledger/ports/bot-book.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { BotPorts } from '../ports.ts'

type Ports = Pick<BotPorts, 'brokers' | 'whyNoLive'> & { view: Pick<LedgerView, 'orders'> }

/** Throws `conflict` where trading may not move to another broker now: its orders are open, or something is missing. */
export function createCheckSwitch({ brokers, whyNoLive, view }: Ports): (to: BrokerName) => Promise<void> {
  return async (to) => {
    // One of a broker that is not configured cannot be asked about: it would hold the switch up for ever.
    const open = view.orders().filter(({ state, broker }) => state === 'open' && brokers[broker])
    if (open.length > 0)
      throw new ServiceError('conflict', `${countText(open.length, 'order')} still open: ${listIds(open)}`, {
        hint: 'switch when they are closed, which takes a minute or two',
      })
    const broker = brokers[to]
    if (!broker) throw new ServiceError('conflict', whyNoLive)
    const obstacles = to === 'polymarket' ? await broker.obstacles() : []
    if (obstacles.length > 0)
      throw new ServiceError(
        'conflict',
        `live trading is not possible yet: ${obstacles.map(({ text }) => text).join('; ')}`,
        { hint: 'mend what is listed, then send the change again' },
      )
  }
}

const LISTED = 3
const listIds = (orders: readonly { clientOrderId: string }[]) =>
  orders
    .slice(0, LISTED)
    .map(({ clientOrderId }) => clientOrderId)
    .join(', ')
