import { takerFeeE6 } from '../../../src/sandbox/prediction/book/amounts.ts'
import type { Direction } from '../../../src/signals/signal.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import { toAmounts } from '../../../src/upstreams/polymarket/trading/order-amounts.ts'
import type { TradeOrder } from '../../../src/upstreams/polymarket/trading/trading.ts'
import type { Timeline, Trace } from '../../simulation/timeline.ts'
import { LOT_E6, type SimBook, type SimBooks } from './books.ts'
import type { SimMarket, SimMarkets } from './markets.ts'
import type { Weather } from './storm.ts'

export type VenueTrade = {
  tradeId: string
  orderId: string
  tokenId: string
  market: SimMarket
  side: 'BUY' | 'SELL'
  priceE4: number
  sharesE6: bigint
  notionalE6: bigint
  feeE6: bigint
  matchedMs: number
  /** When lists tell it. */
  toldMs: number
  status: 'MATCHED' | 'MINED' | 'CONFIRMED' | 'FAILED'
}
export type VenueOrder = {
  orderId: string
  terms: TradeOrder
  market: SimMarket & { token: Direction }
  arrivedMs: number
  state: 'delayed' | 'matched' | 'unmatched'
  trades: VenueTrade[]
}

export type VenueWorld = {
  timeline: Timeline
  random: Seeded
  weather: Weather
  markets: SimMarkets
  books: SimBooks
  startCashE6: bigint
  trace: Trace
}

/** The venue goes on taking orders for a while after the end. */
const TAKEN_AFTER_END_MS = 30_000
/** The chain is slow at times: a trade may fail long after its market was resolved. */
const LONGEST_DOUBT_MS = 25 * 60_000
const MIN_SPEND_E6 = 1_000_000n

/** Throws in the venue's words. */
export function check(
  terms: TradeOrder,
  cashE6: bigint,
  heldE6: bigint,
  { timeline, markets, books }: VenueWorld,
): SimMarket & { token: Direction } {
  const { tokenId, side, priceE4, size } = terms
  const market = markets.ofToken(tokenId)
  if (!market) throw new Error('no such token')
  const nowMs = timeline.now()
  if (!market.market.acceptingOrders || nowMs > market.endMs + TAKEN_AFTER_END_MS)
    throw new Error('the market is not yet ready to process new orders')
  const book = books.current(market.coin, market.startS, nowMs)
  if (priceE4 % book.tickE4 !== 0)
    throw new Error(`Price (${priceE4 / 1e4}) breaks minimum tick size rule: ${book.tickE4 / 1e4}`)
  toAmounts(terms)
  if ('spendE6' in size) {
    if (size.spendE6 < MIN_SPEND_E6) throw new Error('invalid amount for a marketable BUY order')
    const sharesE6 = (size.spendE6 / BigInt(priceE4)) * LOT_E6
    if (cashE6 < size.spendE6 + feeOf(market, priceE4, sharesE6))
      throw new Error('not enough balance / allowance')
  } else if (side === 'SELL' && heldE6 < size.sharesE6) throw new Error('not enough balance / allowance')
  if (facing(book, market.token, side, priceE4).length === 0)
    throw new Error('no orders found to match with FAK order')
  return market
}

/** Levels that the order may take, best first, in prices of its token. */
function facing(book: SimBook, token: Direction, side: 'BUY' | 'SELL', limitE4: number) {
  const isAsks = (side === 'BUY') === (token === 'UP')
  return (isAsks ? book.asks : book.bids)
    .map((level) => ({ level, priceE4: token === 'UP' ? level.priceE4 : 10_000 - level.priceE4 }))
    .filter(
      ({ level, priceE4 }) =>
        level.sharesE6 > 0n && (side === 'BUY' ? priceE4 <= limitE4 : priceE4 >= limitE4),
    )
}

/** What the venue charges, by its own arithmetic. */
export const feeOf = ({ market }: SimMarket, priceE4: number, sharesE6: bigint): bigint =>
  market.fee ? BigInt(takerFeeE6(priceE4, Number(sharesE6))) : 0n

export function match(
  { orderId, terms, market }: VenueOrder,
  world: VenueWorld,
  count: number,
): VenueTrade[] {
  const { timeline, random, books } = world
  const { side, priceE4: limitE4, tokenId, size } = terms
  const book = books.current(market.coin, market.startS, timeline.now())
  let spendE6 = 'spendE6' in size ? size.spendE6 : undefined
  let sharesE6 = 'sharesE6' in size ? size.sharesE6 : 0n
  const trades: VenueTrade[] = []
  for (const { level, priceE4 } of facing(book, market.token, side, limitE4)) {
    const mostE6 = spendE6 === undefined ? sharesE6 : (spendE6 / BigInt(priceE4)) * LOT_E6
    const takenE6 = least(mostE6, level.sharesE6)
    if (takenE6 === 0n) break
    level.sharesE6 -= takenE6
    book.changes++
    const notionalE6 = (takenE6 / LOT_E6) * BigInt(priceE4)
    if (spendE6 === undefined) sharesE6 -= takenE6
    else spendE6 -= notionalE6
    trades.push({
      tradeId: `t${count + trades.length + 1}`,
      ...{ orderId, tokenId, market, side, priceE4, notionalE6, sharesE6: takenE6 },
      feeE6: feeOf(market, priceE4, takenE6),
      matchedMs: timeline.now(),
      toldMs: timeline.now() + random.between(0, 2_000),
      status: 'MATCHED',
    })
  }
  return trades
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

type Move = (moneyE6: bigint, tokenId: string, sharesE6: bigint) => void

/** What is given is gone at once; what is got comes with the chain. A trade that fails gives back and brings nothing. */
export function settleLater(trade: VenueTrade, { timeline, random, weather }: VenueWorld, move: Move): void {
  const { tokenId, side, sharesE6, notionalE6, feeE6: paidE6 } = trade
  const isBuy = side === 'BUY'
  if (isBuy) move(-notionalE6 - paidE6, tokenId, 0n)
  else move(0n, tokenId, -sharesE6)
  const isFailing = random.chance(weather.storm.tradeFails)
  if (isFailing)
    return void timeline.after(random.between(1_000, random.chance(0.2) ? LONGEST_DOUBT_MS : 20_000), () => {
      trade.status = 'FAILED'
      if (isBuy) move(notionalE6 + paidE6, tokenId, 0n)
      else move(0n, tokenId, sharesE6)
    })
  timeline.after(random.between(500, 4_000), () => {
    trade.status = 'MINED'
    if (isBuy) move(0n, tokenId, sharesE6)
    else move(notionalE6 - paidE6, tokenId, 0n)
    timeline.after(random.between(1_000, 10_000), () => {
      trade.status = 'CONFIRMED'
    })
  })
}
