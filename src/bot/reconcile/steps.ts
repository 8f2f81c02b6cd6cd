import { HOUR_MS } from '../../core/time/time.ts'
import type { BotBook, BrokerName, TradeRow } from '../../ledger/ports/bot-book.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { BreakerKeeper } from '../breaker.ts'
import type { Broker } from '../brokers/broker.ts'
import type { ConfigKeeper } from '../config/config-keeper.ts'
import type { Desk } from '../desk/desk.ts'
import type { Outcomes } from '../desk/outcomes.ts'
import { isDue } from '../is-due.ts'
import type { Notes } from '../notes.ts'
import type { BotPorts } from '../ports.ts'
import type { VenueWatch } from '../venue-watch.ts'
import { createAside } from './aside.ts'
import { createCompareCash } from './compare-cash.ts'
import { createCompareHoldings } from './compare-holdings.ts'
import type { Differences } from './differences.ts'
import type { MissingShares } from './missing-shares.ts'
import { createOrderReconciler } from './orders.ts'
import { createOverdueOrders } from './overdue-orders.ts'
import type { Step } from './reconcile.ts'
import { createRedeemer, type Redeemer } from './redeem.ts'
import { createResolutions, type Resolutions } from './resolutions.ts'
import { createSettler } from './settle.ts'
import { createStuckFills } from './stuck-fills.ts'
import { createUnknownShares } from './unknown-shares.ts'

type Parts = {
  view: LedgerView
  config: ConfigKeeper
  breaker: BreakerKeeper
  desk: Desk
  outcomes: Outcomes
  differences: Differences
  missing: MissingShares
  notes: Notes
  findBroker(name: BrokerName): Broker | undefined
  watchOf(name: BrokerName): VenueWatch | undefined
  /** Counts what is under way. */
  track(work: Promise<void>): void
}

const PRUNE_EVERY_MS = HOUR_MS

/** The steps of one pass, in their order: what is known is written before anything new is asked for. */
export function createSteps(
  ports: BotPorts,
  parts: Parts,
): { steps: readonly Step[]; redeemer: Redeemer; resolutions: Resolutions } {
  const { clock } = ports
  const { view, config, breaker, outcomes } = parts
  const given = { ...ports, ...parts, broker: config.broker }
  const onDifference = (reason: string) => breaker.open(reason)
  const resolutions = createResolutions(given)
  const { book, redeemedE6 } = countRedeemed(ports.book)
  const redeemer = createRedeemer({ ...given, book, onDifference })
  const redeem = createAside({ ...given, note: 'redemption_fails', run: redeemer.pass })
  const onSettled = (trade: TradeRow) => {
    redeemer.wake()
    ports.onSettled?.(trade)
  }
  const listShares = createAside({ ...given, note: 'shares_not_listed', run: createUnknownShares(given) })
  const tellStuck = createStuckFills(given)
  const compareCash = createCompareCash({ ...given, redeemedE6 })
  let prunedMs = clock.now()
  const steps: Step[] = [
    { name: 'ledger', run: outcomes.flush },
    { name: 'breaker', run: breaker.save },
    { name: 'orders', run: createOrderReconciler(given) },
    { name: 'overdue orders', run: createOverdueOrders(given) },
    { name: 'stuck fills', run: async () => tellStuck() },
    { name: 'outcomes', run: resolutions.save },
    { name: 'settlement', run: createSettler({ ...given, onSettled }) },
    { name: 'limits', run: () => breaker.check(config.read().config) },
    // On the side: the chain may need minutes, and orders and losses do not wait for it.
    { name: 'redemptions', run: async () => redeem() },
    { name: 'holdings', run: createCompareHoldings({ ...given, onDifference }) },
    { name: 'account', run: async () => parts.watchOf(config.broker())?.refresh() },
    { name: 'cash', run: async () => compareCash() },
    { name: 'unknown shares', run: async () => listShares() },
    {
      name: 'memory',
      async run() {
        if (!isDue(clock.now(), prunedMs, PRUNE_EVERY_MS)) return
        view.prune(clock.now())
        prunedMs = clock.now()
      },
    },
  ]
  return { steps, redeemer, resolutions }
}

/**
 * The same ledger, and what was written into it as paid. Only of redemptions that were planned through it: others were
 * found in the venue's records, and may have been paid before the balance was first read.
 */
function countRedeemed(ledger: BotBook): { book: BotBook; redeemedE6(broker: BrokerName): bigint } {
  const sums = new Map<BrokerName, bigint>()
  const planned = new Set<string>()
  const keyOf = (row: { broker: BrokerName; conditionId: string }) => `${row.broker} ${row.conditionId}`
  const planRedemption: BotBook['planRedemption'] = (row) => {
    planned.add(keyOf(row))
    return ledger.planRedemption(row)
  }
  const redeemed: BotBook['redeemed'] = async (row) => {
    const isNew = await ledger.redeemed(row)
    if (planned.delete(keyOf(row)) && isNew) sums.set(row.broker, (sums.get(row.broker) ?? 0n) + row.amountE6)
    return isNew
  }
  return {
    book: Object.assign(Object.create(ledger) as BotBook, { planRedemption, redeemed }),
    redeemedE6: (broker) => sums.get(broker) ?? 0n,
  }
}
