import { describeError } from '../../../core/describe-error.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { FillRow, PlannedOrder } from '../../../ledger/ports/bot-book.ts'
import type { PaperBook, PaperOrder } from '../../../ledger/ports/paper-book.ts'
import type { Placed } from '../broker.ts'
import type { Funds, PaperAccount } from './paper-account.ts'
import { findMarket, type PaperMarkets } from './paper-rules.ts'
import { createTakenLevels } from './taken-levels.ts'
import { E4_TO_E6, type Take, walkBook } from './walk-book.ts'

/** Both are called one order after the other. */
export type PaperMatching = {
  /** As the venue does it when an order comes in: it must be paid for, and someone must be there to match it. */
  whyNot(order: PlannedOrder): Promise<string | undefined>
  /** Takes what is there now. The order and its fills are written before they are told. */
  match(order: PlannedOrder): Promise<Placed>
}

/** Nobody took anything of a book before its window opened; the minute is for clocks. */
const RECALL_BEFORE_MS = 60_000

type Input = { clock: Clock; book: PaperBook; markets: PaperMarkets; account: PaperAccount }

export function createPaperMatching({ clock, book, markets, account }: Input): PaperMatching {
  const taken = createTakenLevels()
  const recall = async ({ conditionId, windowStartS, coin }: PlannedOrder) => {
    const market = markets.open(coin)?.market
    if (market?.conditionId !== conditionId || taken.knows(conditionId)) return
    const orders = await book.ordersSince(windowStartS * 1000 - RECALL_BEFORE_MS)
    taken.recall(
      market,
      orders.filter((order) => order.conditionId === conditionId),
    )
  }
  /** What the order takes now. Nothing is awaited in it, so that the book is the one of this moment. */
  const plan = (order: PlannedOrder, { cashE6, heldE6 }: Funds) => {
    const found = findMarket(markets, clock, order)
    if ('refusal' in found) return found
    const { market, facing } = found
    const levels = taken.left(market, facing)
    const { side, priceE4: limitE4, spendE6 } = order
    const sharesE6 = least(order.sharesE6, heldE6)
    const takes = walkBook(levels, { side, limitE4, spendE6, sharesE6, cashE6 }, market.fee)
    return takes ? { ...found, levels, takes } : { refusal: `the fee of ${market.slug} is not known` }
  }
  return {
    async whyNot(order) {
      await recall(order)
      const funds = await account.funds(order.tokenId)
      const planned = plan(order, funds)
      if ('refusal' in planned) return planned.refusal
      const poor = account.reserve(order, funds, planned.market.fee, planned.levels[0]?.priceE4)
      if (poor) return poor
      return planned.takes.length === 0 ? 'nobody is there to match it within its limit' : undefined
    },
    async match(order) {
      await recall(order)
      const planned = plan(order, await account.funds(order.tokenId))
      if ('refusal' in planned) return refused(planned.refusal)
      const { market, facing, takes } = planned
      const row = toRow(order, takes, clock.now())
      taken.take(market, facing, takes)
      try {
        if (await book.add(row)) return toPlaced(row)
        return toPlaced((await book.find(order.clientOrderId)) ?? row)
      } catch (error) {
        // It may have been written all the same.
        return { state: 'open', orderId: row.orderId, fills: [], reason: describeError(error) }
      }
    },
  }
}

export const refused = (reason: string): Placed => ({ state: 'refused', reason })
export const paperOrderId = ({ clientOrderId }: PlannedOrder) => `paper-${clientOrderId}`

export function toPlaced({ orderId, fills }: PaperOrder): Placed {
  return fills.length > 0
    ? { state: 'closed', orderId, fills }
    : { state: 'closed', orderId, fills, note: 'whoever was there had gone when its turn came' }
}

const least = (wanted: bigint | undefined, held: bigint) =>
  wanted !== undefined && wanted > held ? held : wanted

function toRow(order: PlannedOrder, takes: readonly Take[], atMs: number): PaperOrder {
  const { clientOrderId, conditionId, tokenId, side } = order
  const orderId = paperOrderId(order)
  const fills = takes.map(
    ({ priceE4, ...amounts }, at): FillRow => ({
      tradeId: `${orderId}-${at + 1}`,
      state: 'confirmed',
      priceE6: BigInt(priceE4) * E4_TO_E6,
      ...amounts,
      atMs,
      transactionHash: undefined,
    }),
  )
  return { clientOrderId, conditionId, tokenId, side, orderId, atMs, fills }
}
