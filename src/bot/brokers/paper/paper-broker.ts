import { type Clock, sleep } from '../../../core/time/clock.ts'
import type { PlannedOrder } from '../../../ledger/ports/bot-book.ts'
import type { PaperBook } from '../../../ledger/ports/paper-book.ts'
import type { Broker, Placed } from '../broker.ts'
import { createClockSkew } from '../clock-skew.ts'
import { createInTurn } from '../in-turn.ts'
import { createOrderFlights } from '../order-flights.ts'
import { createPaperAccount } from './paper-account.ts'
import { createPaperMatching, paperOrderId, refused, toPlaced } from './paper-matching.ts'
import type { PaperMarkets } from './paper-rules.ts'

/** Marketable orders in the five-minute markets wait, so that makers can withdraw (2026-09: 150 ms). */
const TAKER_DELAY_MS = 150

export type PaperInput = {
  clock: Clock
  book: PaperBook
  markets: PaperMarkets
  startCashE6: bigint
  /** What a share of a token pays, in millionths; undefined until the market is resolved. */
  payoutOf(conditionId: string, tokenId: string): Promise<bigint | undefined>
  /** Of the venue whose books are filled against. */
  serverTimeMs(): Promise<number>
  delayMs?: number
}

/** Play money that trades against the live book: at prices and sizes that are there, with fees and the venue's delay. */
export function createPaperBroker(input: PaperInput): Broker {
  const { clock, book, delayMs = TAKER_DELAY_MS } = input
  const flights = createOrderFlights()
  const inTurn = createInTurn()
  const account = createPaperAccount({ ...input, inTurn })
  const matching = createPaperMatching({ ...input, account })
  const closing = new AbortController()

  const placeNew = async (order: PlannedOrder): Promise<Placed> => {
    const kept = await book.find(order.clientOrderId)
    if (kept) return toPlaced(kept)
    try {
      const refusal = await inTurn(() => matching.whyNot(order))
      if (refusal) return refused(refusal)
      await sleep(clock, delayMs, closing.signal)
      if (closing.signal.aborted) return refused('the service is stopping')
      return await inTurn(() => matching.match(order))
    } finally {
      account.release(order.clientOrderId)
    }
  }
  const { obstacles, cashE6, holding, holdings, redeem, findPaid } = account
  return {
    name: 'paper',
    ...{ obstacles, cashE6, holding, holdings, redeem, findPaid },
    pauses: async () => [],
    clockSkewMs: createClockSkew(input),
    orderIdOf: async (order) => paperOrderId(order),
    place: async (order) =>
      flights.join(order.clientOrderId, () => placeNew(order)) ?? refused('too many orders are under way'),
    async find(order) {
      const underWay = flights.find(order.clientOrderId)
      if (underWay) return underWay
      const kept = await book.find(order.clientOrderId)
      return kept ? toPlaced(kept) : refused('the paper account has no such order')
    },
    close: () => closing.abort(),
  }
}
