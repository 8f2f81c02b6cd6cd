import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { BrokerName, OrderRow } from '../../ledger/ports/bot-book.ts'
import { isFinal, sumFills } from '../account/fills.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import { isDue } from '../is-due.ts'
import type { Notes } from '../notes.ts'
import type { VenueWatch } from '../venue-watch.ts'
import { isStuck } from './stuck-fills.ts'

type Ports = {
  clock: Clock
  view: Pick<LedgerView, 'orders'>
  notes: Pick<Notes, 'set'>
  broker(): BrokerName
  watchOf(name: BrokerName): VenueWatch | undefined
  /** What redemptions that were begun since the start have paid, as the ledger has it. */
  redeemedE6(name: BrokerName): bigint
}

const EVERY_MS = MINUTE_MS
/** A cent: fees are rounded by the venue, and by us, in the sixth decimal. */
const TOLERATED_E6 = 10_000n
/** A redemption, or a fill, is for a moment in one of the two counts only. */
const TOLERATED_READINGS = 2

/** What the account had, what every order had moved by then, and for how many readings the same sum has been missing. */
type Basis = { cashE6: bigint; flows: Map<string, bigint>; redeemedE6: bigint }
/** `creditE6`: what came and nothing explained: a redemption that the ledger has later may have paid it. */
type State = { basis: Basis; creditE6: bigint; missingE6: bigint; readings: number }

/**
 * Compares how the balance changed with fills and redemptions. Money that left otherwise is noted and does not open the
 * breaker: the operator may withdraw. Money that came is no news. Then it is counted from there on.
 */
export function createCompareCash(ports: Ports): () => void {
  const { clock, view, notes } = ports
  const states = new Map<BrokerName, State>()
  let lastMs: number | undefined
  // One that is stuck counts as it is: it would keep the balance from being looked at for ever.
  const isDecided = (order: OrderRow) => isFinal(order) || isStuck(order, clock.now())
  return () => {
    const name = ports.broker()
    const cash = ports.watchOf(name)?.cash()
    const own = view.orders().filter((order) => order.broker === name)
    if (!cash || !isDue(clock.now(), lastMs, EVERY_MS) || !own.every(isDecided)) return
    lastMs = clock.now()
    const basis: Basis = { cashE6: cash.amountE6, flows: flowsOf(own), redeemedE6: ports.redeemedE6(name) }
    const before = states.get(name)
    if (!before) return void states.set(name, { basis, creditE6: 0n, missingE6: 0n, readings: 0 })
    const uncreditedE6 = missingFrom(before.basis, basis)
    const usedE6 = paidBefore(before, basis, uncreditedE6)
    const missingE6 = uncreditedE6 - usedE6
    const readings = missingE6 === before.missingE6 ? before.readings + 1 : 1
    const isLasting = readings > TOLERATED_READINGS
    if (isLasting && missingE6 > TOLERATED_E6) notes.set('cash_left', textOf(name, missingE6, clock.now()))
    const isOver = isLasting || missingE6 === 0n
    const cameE6 = missingE6 < 0n ? -missingE6 : 0n
    const creditE6 = before.creditE6 - usedE6 + cameE6
    const next = isOver ? { basis, creditE6, missingE6: 0n, readings: 0 } : { ...before, missingE6, readings }
    states.set(name, next)
  }
}

/**
 * What is missing, where it is just what the ledger has as redeemed since, and as much came before. Only just that: a
 * deposit must not hide a sum that leaves while something else is redeemed.
 */
function paidBefore({ basis, creditE6 }: State, now: Basis, missingE6: bigint): bigint {
  const isRedeemed = missingE6 > 0n && missingE6 === now.redeemedE6 - basis.redeemedE6
  return isRedeemed && missingE6 <= creditE6 ? missingE6 : 0n
}

/** What should be there, less what is. Orders that were forgotten meanwhile had moved all of theirs before. */
function missingFrom(before: Basis, now: Basis): bigint {
  let movedE6 = now.redeemedE6 - before.redeemedE6
  for (const [id, flow] of now.flows) movedE6 += flow - (before.flows.get(id) ?? 0n)
  return before.cashE6 + movedE6 - now.cashE6
}

const flowsOf = (orders: readonly OrderRow[]): Map<string, bigint> =>
  new Map(orders.map((order) => [order.clientOrderId, flowOf(order)]))

function flowOf(order: OrderRow): bigint {
  const { notionalE6, feeE6 } = sumFills([order])
  return (order.side === 'BUY' ? -notionalE6 : notionalE6) - feeE6
}

const textOf = (name: BrokerName, missingE6: bigint, nowMs: number): string =>
  `${Number(missingE6) / 1e6} USD left the ${name} account and no order of ours explains it (seen at ${new Date(nowMs).toISOString()}): was it you?`
