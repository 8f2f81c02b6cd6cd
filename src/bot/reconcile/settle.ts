import { isDeepStrictEqual } from 'node:util'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { BotBook, OrderRow, Settlement, TradeRow } from '../../ledger/ports/bot-book.ts'
import { tookSomething } from '../account/fills.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import { forEvery } from './for-every.ts'
import { isRipe } from './is-ripe.ts'
import { emptied, settlementOf } from './settlement.ts'

type Ports = {
  clock: Clock
  log: Log
  book: Pick<BotBook, 'settle' | 'decisionsOf'>
  view: Pick<LedgerView, 'unsettled' | 'settled' | 'findResolution' | 'putTrade' | 'version'>
  onSettled(trade: TradeRow): void
}

/** Writes a trade row for every market whose outcome is known and whose orders are over, and again after late fills. */
export function createSettler({ clock, log, book, view, onSettled }: Ports): () => Promise<void> {
  // A market is compared with its row only after an order of it has changed.
  const compared = new WeakSet<OrderRow>()
  let comparedVersion: number | undefined
  const write = async (settlement: Settlement) => {
    const trade = await book.settle(settlement)
    view.putTrade(trade)
    log.info(
      { broker: trade.broker, coin: trade.coin, windowStartS: trade.windowStartS, outcome: trade.outcome },
      'a market was settled',
    )
    onSettled(trade)
  }
  return async () => {
    await forEvery(view.unsettled(), async (orders) => {
      const [first] = orders
      const resolution = first && view.findResolution(first.coin, first.windowStartS)
      if (!resolution || !isRipe(orders, resolution, clock.now())) return
      const trade = settlementOf(orders, resolution, await findConfidence(book, orders))
      if (trade) await write(trade)
    })
    if (view.version === comparedVersion) return
    for (const { trade: row, orders } of view.settled()) {
      if (orders.every((order) => compared.has(order))) continue
      const { breakerSeq, ...trade } = row
      const resolution = view.findResolution(trade.coin, trade.windowStartS)
      if (!resolution) continue
      const now = settlementOf(orders, { ...resolution, atMs: trade.resolvedMs }, trade.confidence)
      const next = now ?? emptied(trade)
      if (!isDeepStrictEqual(next, trade)) await write(next)
      for (const order of orders) compared.add(order)
    }
    comparedVersion = view.version
  }
}

/** Of the decision behind the first purchase of the round that took something. */
async function findConfidence(
  book: Pick<BotBook, 'decisionsOf'>,
  orders: readonly OrderRow[],
): Promise<number | undefined> {
  const order = orders.find((each) => each.origin === 'round' && each.side === 'BUY' && tookSomething(each))
  if (!order) return undefined
  const decisions = await book.decisionsOf(order.coin, order.windowStartS)
  const attempt = Number(order.clientOrderId.split('-').at(-1))
  const facts = decisions.find((decision) => decision.attempt === attempt)?.facts ?? '{}'
  const { confidence }: { confidence?: unknown } = JSON.parse(facts)
  return typeof confidence === 'number' ? confidence : undefined
}
