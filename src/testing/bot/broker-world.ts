import type { Broker, Placed } from '../../bot/brokers/broker.ts'
import type { Offered } from '../../bot/brokers/paper/walk-book.ts'
import type { FillRow, OrderSide, PlannedOrder } from '../../ledger/ports/bot-book.ts'

export const USD = 1_000_000n
/** What every account of the contract has at first. */
export const FIRST_CASH_E6 = 500n * USD

/** One account at a venue whose time passes only on request. */
export type BrokerWorld = {
  broker: Broker
  /** The same account after a restart of the process. */
  restarted(): Broker
  nowMs(): number
  /** Of the window that is open now. */
  market(): {
    windowStartS: number
    conditionId: string
    tokens: { up: string; down: string }
    tickE4: number
  }
  /** What an order of that side would take from, best first. */
  facing(tokenId: string, side: OrderSide): readonly Offered[]
  /** As whoever keeps the account counts it; the broker is not asked. */
  counted(tokenId: string): Promise<{ cashE6: bigint; sharesE6: bigint }>
  /** Orders that the venue has taken. */
  ordersTaken(): number
  /** Lets the time pass that the work needs. */
  during<T>(work: Promise<T>, what?: 'redeeming'): Promise<T>
  pass(ms: number): Promise<void>
  /** `answers`: orders are taken and what is said to them is lost. `orders`: they never arrive. */
  lose(what: 'answers' | 'orders' | undefined): void
  /** Lets the window end and be resolved; returns the token that won. */
  resolve(): Promise<string>
}

export function createOrders(world: BrokerWorld) {
  let count = 0
  const { windowStartS, conditionId, tokens, tickE4 } = world.market()
  const order = (rest: Partial<PlannedOrder>): PlannedOrder => ({
    clientOrderId: `contract-${count++}`,
    ...{
      broker: world.broker.name,
      origin: 'round',
      by: 'bot',
      coin: 'BTC',
      windowStartS,
      conditionId,
      tickE4,
    },
    ...{ tokenId: tokens.up, outcome: 'UP', side: 'BUY', priceE4: 5_000, maxFeeE6: 0n },
    ...{
      spendE6: undefined,
      sharesE6: undefined,
      fee: { rate: 0.07, exponent: 1 },
      createdMs: world.nowMs(),
    },
    ...rest,
  })
  const bestE4 = (tokenId: string, side: OrderSide) => {
    const [best] = world.facing(tokenId, side)
    if (!best) throw new Error('this side of the book is empty')
    return best.priceE4
  }
  return {
    tokens,
    /** Two ticks above the best price, so that it is matched. */
    buy: (spendE6: bigint, { tokenId = tokens.up, ...rest }: Partial<PlannedOrder> = {}) =>
      order({ tokenId, spendE6, priceE4: bestE4(tokenId, 'BUY') + 2 * tickE4, ...rest }),
    sell: (sharesE6: bigint, { tokenId = tokens.up, ...rest }: Partial<PlannedOrder> = {}) =>
      order({ side: 'SELL', tokenId, sharesE6, priceE4: bestE4(tokenId, 'SELL') - 2 * tickE4, ...rest }),
    bestE4,
  }
}

/** First just after the delay of takers, before the book moves on. */
const LOOK_AFTER_MS = [200, 2_000, 2_000, 2_000]

/** Places the order and looks for it until it is over. */
export async function placeToEnd(world: BrokerWorld, order: PlannedOrder): Promise<Placed> {
  return lookToEnd(world, order, await world.during(world.broker.place(order)))
}

export async function lookToEnd(
  world: BrokerWorld,
  order: PlannedOrder,
  placed: Placed,
  broker = world.broker,
): Promise<Placed> {
  let last = placed
  for (const waitMs of LOOK_AFTER_MS) {
    if (last.state !== 'open') break
    await world.pass(waitMs)
    last = await world.during(broker.find(order))
  }
  return last
}

export const fillsOf = (placed: Placed): readonly FillRow[] =>
  placed.state === 'refused' ? [] : placed.fills

/** What the fills moved: cash with fees, and shares. */
export function movedBy(side: OrderSide, placed: Placed) {
  const sum = (of: (fill: FillRow) => bigint) => fillsOf(placed).reduce((total, fill) => total + of(fill), 0n)
  const [notionalE6, feeE6, sharesE6] = [
    sum((f) => f.notionalE6),
    sum((f) => f.feeE6),
    sum((f) => f.sharesE6),
  ]
  return side === 'BUY'
    ? { cashE6: -notionalE6 - feeE6, sharesE6, notionalE6 }
    : { cashE6: notionalE6 - feeE6, sharesE6: -sharesE6, notionalE6 }
}
