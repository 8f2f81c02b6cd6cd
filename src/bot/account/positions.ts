import type { BotBook, BrokerName, OrderRow } from '../../ledger/ports/bot-book.ts'
import { divideUp, findMillionths } from '../../market/prediction/millionths.ts'
import type { OpenPosition } from '../bot.ts'
import type { BotPorts } from '../ports.ts'
import { goodFills, sharesHeld, sumFills } from './fills.ts'
import { type LedgerView, marketKey } from './ledger-view.ts'

type Ports = {
  book: Pick<BotBook, 'unredeemed' | 'ordersOf'>
  view: Pick<LedgerView, 'unsettled' | 'findResolution'>
  markets: Pick<BotPorts['markets'], 'open'>
}

const ONE = 1_000_000n
const BROKERS: readonly BrokerName[] = ['paper', 'polymarket']

/** Shares of markets that are not settled, and winning ones that are not redeemed, of both brokers; newest window first. */
export async function openPositions(ports: Ports): Promise<readonly OpenPosition[]> {
  const { book, view } = ports
  const open = view.unsettled()
  const won: OrderRow[][] = []
  for (const trade of (await Promise.all(BROKERS.map(book.unredeemed))).flat()) {
    const orders = await book.ordersOf(trade.coin, trade.windowStartS)
    won.push(
      orders.filter((order) => marketKey(order) === marketKey(trade) && order.outcome === trade.outcome),
    )
  }
  return [...open, ...won]
    .flatMap((orders) => [...Map.groupBy(orders, ({ tokenId }) => tokenId).values()])
    .flatMap((orders) => positionOf(ports, orders) ?? [])
    .sort((a, b) => b.windowStartS - a.windowStartS)
}

function positionOf({ view, markets }: Ports, orders: readonly OrderRow[]): OpenPosition | undefined {
  const [first] = orders
  const sharesE6 = sharesHeld(orders)
  if (!first || sharesE6 === 0n) return undefined
  const { broker, coin, windowStartS, conditionId, tokenId, outcome } = first
  const bought = sumFills(orders.filter(({ side }) => side === 'BUY'))
  const resolution = view.findResolution(coin, windowStartS)
  const resolvedAs = resolution?.outcome
  const shown = markets.open(coin)
  const book = [shown?.up, shown?.down].find((each) => each?.tokenId === tokenId)
  const upPays = resolution && Number(resolution.payoutUpE6) / Number(ONE)
  const bid = upPays === undefined ? book?.bids[0]?.[0] : outcome === 'UP' ? upPays : 1 - upPays
  const bidE6 = findMillionths(bid)
  return {
    broker,
    coin,
    windowStartS,
    conditionId,
    tokenId,
    outcome,
    sharesE6,
    // Rounds up: what is still held cost its part of all that was bought.
    costE6: divideUp((bought.notionalE6 + bought.feeE6) * sharesE6, bought.sharesE6),
    bid,
    // Floors.
    valueE6: bidE6 === undefined ? undefined : (bidE6 * sharesE6) / ONE,
    openedMs: Math.min(...orders.flatMap(goodFills).map(({ atMs }) => atMs)),
    resolvedAs,
  }
}
