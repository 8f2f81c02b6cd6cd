import type { Coin } from '../../core/coin.ts'
import { describeError } from '../../core/describe-error.ts'
import type { Log } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { BotBook, BrokerName, DecisionRow, OrderRow, PlannedOrder } from '../../ledger/ports/bot-book.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { OrderReport } from '../bot.ts'
import type { Broker, Placed } from '../brokers/broker.ts'
import { isDue } from '../is-due.ts'
import type { Outcomes } from './outcomes.ts'
import { createSerial } from './serial.ts'

/** An order that somebody wants, with the decision behind it and the boss signal that it uses. */
export type Wanted = { order: PlannedOrder; decision?: DecisionRow; bossSignal?: number | undefined }

/** The one place that places orders. */
export type Desk = {
  /**
   * `decide` runs alone, so that no two decisions count the same money; what it wants is in the ledger before the next
   * one runs. Sending holds nobody up. Undefined where nothing is wanted, or it was planned before.
   */
  order(decide: () => Promise<Wanted | undefined>): Promise<OrderRow | undefined>
  /** The same id twice is one order: those at the same time join the first, later ones find it. */
  orderOnce(clientOrderId: string, decide: () => Promise<Wanted>): Promise<OrderReport>
  /** Runs between two decisions. */
  alone<T>(task: () => Promise<T>): Promise<T>
  /** True while calls with this id join one that is under way. */
  isJoinable(clientOrderId: string): boolean
  /** True while it may not be looked up, because it is just being sent. */
  isUnderWay(clientOrderId: string): boolean
  /** True where a coin has to wait: for the ledger, or because the venue said so. */
  isHeld(coin: Coin): boolean
}

type Ports = {
  clock: Clock
  log: Log
  book: BotBook
  view: LedgerView
  outcomes: Outcomes
  brokerOf(name: BrokerName): Broker
}

export function createDesk(ports: Ports): Desk {
  const { clock, log, book, view, outcomes, brokerOf } = ports
  const alone = createSerial()
  const joinable = new Map<string, Promise<OrderReport>>()
  const underWay = new Set<string>()
  /** For how long the venue said that a coin has to wait, and when. */
  const waits = new Map<Coin, { atMs: number; forMs: number }>()

  const plan = async (decide: () => Promise<Wanted | undefined>): Promise<PlannedOrder | undefined> => {
    const wanted = await decide()
    if (!wanted) return undefined
    const { order, ...with_ } = wanted
    // Before anybody can see it: looked up now, the venue would say that it never had it.
    const isOther = underWay.has(order.clientOrderId)
    underWay.add(order.clientOrderId)
    let isNew = false
    try {
      isNew = await book.planOrder(order, with_)
      if (isNew || (await book.findOrder(order.clientOrderId))) await view.refresh(order.clientOrderId)
    } catch (err) {
      isNew = false
      outcomes.doubt(order)
      throw err
    } finally {
      if (!isNew && !isOther) underWay.delete(order.clientOrderId)
    }
    return isNew ? order : undefined
  }
  const carryOut = async (order: PlannedOrder): Promise<OrderRow> => {
    try {
      const placed = await send(ports, brokerOf(order.broker), order)
      if (placed.state === 'refused')
        waits.set(order.coin, { atMs: clock.now(), forMs: placed.retryAfterMs ?? 0 })
      return await outcomes.write(order, placed)
    } finally {
      underWay.delete(order.clientOrderId)
    }
  }
  const order: Desk['order'] = async (decide) => {
    const planned = await alone(() => plan(decide))
    return planned && carryOut(planned)
  }
  const orderNow = async (clientOrderId: string, decide: () => Promise<Wanted>): Promise<OrderReport> => {
    const before = await book.findOrder(clientOrderId)
    if (before) return { order: before, isRepeat: true }
    const row = await order(decide)
    if (row) return { order: row, isRepeat: false }
    throw new ServiceError('conflict', `the order ${clientOrderId} is being placed by somebody else`)
  }
  return {
    order,
    alone,
    isJoinable: (clientOrderId) => joinable.has(clientOrderId),
    async orderOnce(clientOrderId, decide) {
      const first = joinable.get(clientOrderId)
      if (first) return { ...(await first), isRepeat: true }
      const work = orderNow(clientOrderId, decide).finally(() => joinable.delete(clientOrderId))
      joinable.set(clientOrderId, work)
      const report = await work
      log.info({ clientOrderId, isRepeat: report.isRepeat }, 'the operator ordered')
      return report
    },
    isUnderWay: (clientOrderId) => underWay.has(clientOrderId),
    isHeld(coin) {
      const wait = waits.get(coin)
      return outcomes.hasUnwritten(coin) || !isDue(clock.now(), wait?.atMs, wait?.forMs ?? 0)
    },
  }
}

async function send({ log, book }: Ports, broker: Broker, order: PlannedOrder): Promise<Placed> {
  const { clientOrderId } = order
  try {
    await book.nameOrder(clientOrderId, await broker.orderIdOf(order))
  } catch (err) {
    log.warn({ err, clientOrderId }, 'an order was not sent')
    return { state: 'refused', reason: `not sent: ${describeError(err)}` }
  }
  try {
    const placed = await broker.place(order)
    log.info(
      { clientOrderId, broker: broker.name, state: placed.state, reason: reasonOf(placed) },
      'an order was placed',
    )
    return placed
  } catch (err) {
    // Nothing was sent, says the broker; looking it up makes sure.
    log.warn({ err, clientOrderId }, 'an order could not be placed')
    return { state: 'open', orderId: undefined, fills: [], reason: describeError(err) }
  }
}

const reasonOf = (placed: Placed): string | undefined => ('reason' in placed ? placed.reason : placed.note)
