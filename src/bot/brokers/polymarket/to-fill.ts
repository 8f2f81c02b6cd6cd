import type { FillRow, FillState, PlannedOrder } from '../../../ledger/ports/bot-book.ts'
import { feeOf } from '../../../market/prediction/fee.ts'
import { divideHalfUp } from '../../../market/prediction/millionths.ts'
import type { TradeView } from '../../../upstreams/polymarket/trading/trading.ts'

const STATES: Readonly<Record<string, FillState>> = { CONFIRMED: 'confirmed', FAILED: 'failed' }
/** Average prices have ten digits: 0.3200000233. */
const DIGITS = 10_000_000_000
const TICK = 1_000_000
const PRICE_E6 = 10_000n

/** A trade of one of our orders. Until the chain has decided it is `matched`. */
export function toFill(trade: TradeView, { fee }: Pick<PlannedOrder, 'fee'>): FillRow {
  const { tradeId, sharesE6, status, matchedAtMs, transactionHash } = trade
  const parts = partsOf(trade).map(({ price, sharesE6: part }) => {
    const priceE10 = BigInt(Math.round(price * DIGITS))
    const feeE6 = feeOf(fee, divideHalfUp(priceE10, PRICE_E6), part)
    if (feeE6 === undefined) throw new RangeError(`the fee of trade ${tradeId} cannot be worked out`)
    return { notionalE6: notionalOf(priceE10, part), feeE6 }
  })
  const notionalE6 = parts.reduce((sum, part) => sum + part.notionalE6, 0n)
  return {
    tradeId,
    state: (Object.hasOwn(STATES, status) && STATES[status]) || 'matched',
    priceE6: priceOf(trade, notionalE6),
    sharesE6,
    notionalE6,
    feeE6: parts.reduce((sum, part) => sum + part.feeE6, 0n),
    atMs: matchedAtMs,
    transactionHash,
  }
}

type Part = { price: number; sharesE6: bigint }

/** What each maker gave, where that is told of all of it: the contracts settle and charge maker by maker. */
function partsOf({ makers = [], price, sharesE6 }: TradeView): readonly Part[] {
  const givenE6 = makers.reduce((sum, maker) => sum + maker.sharesE6, 0n)
  return givenE6 === sharesE6 && sharesE6 > 0n ? makers : [{ price, sharesE6 }]
}

/** Of one maker the price itself; of several the average, to the nearest. */
function priceOf(trade: TradeView, notionalE6: bigint): bigint {
  const [one, ...more] = partsOf(trade)
  return one && more.length === 0
    ? BigInt(Math.round(one.price * 1e6))
    : divideHalfUp(notionalE6 * 1_000_000n, trade.sharesE6)
}

/** At a price of the book the contracts floor; an average price was made of the amount, which rounding gives back. */
function notionalOf(priceE10: bigint, sharesE6: bigint): bigint {
  const exact = priceE10 * sharesE6
  const isOfBook = priceE10 % BigInt(TICK) === 0n
  return isOfBook ? exact / BigInt(DIGITS) : divideHalfUp(exact, BigInt(DIGITS))
}
