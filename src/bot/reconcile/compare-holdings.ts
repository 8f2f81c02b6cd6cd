import { describeError } from '../../core/describe-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { BrokerName, OrderRow } from '../../ledger/ports/bot-book.ts'
import { isFinal, sharesHeld } from '../account/fills.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { Broker } from '../brokers/broker.ts'
import { isDue } from '../is-due.ts'
import type { Notes } from '../notes.ts'
import type { Differences } from './differences.ts'
import { forEvery } from './for-every.ts'

type Ports = {
  clock: Clock
  view: Pick<LedgerView, 'unsettled' | 'findResolution' | 'version'>
  differences: Differences
  notes: Pick<Notes, 'set'>
  findBroker(name: BrokerName): Broker | undefined
  onDifference(reason: string): Promise<void>
}

const EVERY_MS = MINUTE_MS

/** Compares the shares of every open position with the venue's own count; only where nothing is on its way. */
export function createCompareHoldings(ports: Ports): () => Promise<void> {
  const { clock, view, differences, notes, findBroker, onDifference } = ports
  let lastMs: number | undefined
  const isQuiet = (orders: readonly OrderRow[]) =>
    orders.every((order) => isFinal(order) && !view.findResolution(order.coin, order.windowStartS))
  return async () => {
    if (!isDue(clock.now(), lastMs, EVERY_MS)) return
    const markets = view.unsettled().filter(isQuiet)
    const surplus: string[] = []
    const unread: string[] = []
    const tokens = markets.flatMap((orders) => [...Map.groupBy(orders, (order) => order.tokenId)])
    await forEvery(tokens, async ([tokenId, own]) => {
      const broker = own[0] && findBroker(own[0].broker)
      if (!broker) return
      const { version } = view
      const venueE6 = await broker.holding(tokenId).catch((err: unknown) => {
        unread.push(`token ${tokenId}: ${describeError(err)}`)
      })
      // Something was ordered while the venue answered: the two numbers may be of different moments.
      if (venueE6 === undefined || view.version !== version) return
      const ledgerE6 = sharesHeld(own)
      if (venueE6 > ledgerE6) surplus.push(`${Number(venueE6 - ledgerE6) / 1e6} of token ${tokenId}`)
      const { news } = differences.note(broker.name, tokenId, ledgerE6, venueE6)
      if (news) await onDifference(news)
    })
    notes.set('surplus_shares', surplusText(surplus))
    // Noted, not failed: one balance that cannot be read would keep the bot from ever starting.
    notes.set('shares_not_read', unreadText(unread))
    lastMs = clock.now()
  }
}

const LISTED = 3
const surplusText = (surplus: readonly string[]): string | undefined =>
  surplus.length === 0
    ? undefined
    : `the account holds more shares than we bought: ${surplus.slice(0, LISTED).join(', ')}. Somebody sent them, or they were bought elsewhere`
const unreadText = (unread: readonly string[]): string | undefined =>
  unread.length === 0
    ? undefined
    : `${unread.length} balances cannot be read, and are asked for again in a minute: ${unread.slice(0, LISTED).join('; ')}`
