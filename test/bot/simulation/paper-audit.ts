import { MINUTE_MS } from '../../../src/core/time/time.ts'
import type { PaperOrder } from '../../../src/ledger/ports/paper-book.ts'
import type { Timeline } from '../../simulation/timeline.ts'
import { LOT_E6, type SimBooks, stepAt } from './books.ts'
import type { SimMarkets } from './markets.ts'
import { feeOf } from './matching.ts'
import type { Violation } from './violation.ts'

type World = { timeline: Timeline; markets: SimMarkets; books: SimBooks }

/** Paper fills only at prices and sizes that were in the book that was shown at that moment. */
export function auditPaper({ timeline, markets, books }: World, order: PaperOrder): Violation[] {
  const market = markets.ofToken(order.tokenId)
  if (!market) return [{ rule: 'paper fills in markets that are', subject: order.clientOrderId }]
  const { coin, startS, token } = market
  const nowMs = timeline.now()
  const moments = [nowMs, Math.floor(nowMs / MINUTE_MS) * MINUTE_MS]
  const isThere = moments.some((atMs) => {
    const { bids, asks } = books.made(coin, startS, stepAt(startS, atMs))
    const levels = (order.side === 'BUY') === (token === 'UP') ? asks : bids
    return order.fills.every(({ priceE6, sharesE6, notionalE6, feeE6 }) => {
      const priceE4 = Number(priceE6 / 100n)
      const upE4 = token === 'UP' ? priceE4 : 10_000 - priceE4
      const isPaid =
        notionalE6 === (sharesE6 / LOT_E6) * BigInt(priceE4) && feeE6 === feeOf(market, priceE4, sharesE6)
      return isPaid && levels.some((level) => level.priceE4 === upE4 && level.sharesE6 >= sharesE6)
    })
  })
  return isThere
    ? []
    : [{ rule: 'paper fills at prices and sizes that are there', subject: order.clientOrderId }]
}
