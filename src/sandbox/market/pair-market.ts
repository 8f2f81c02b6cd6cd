import { createDraws, createRandomStream, type Draws } from '../../core/math/random.ts'
import { diffSide } from './books/book-diff.ts'
import { drawOrders, type Order, ordersPerSecond, type Take, takeFrom } from './books/order-flow.ts'
import { createRequote, type Quotes } from './books/quoting.ts'
import { COIN_MODELS, type Instrument } from './instrument.ts'
import type { Latent } from './latent/latent.ts'
import type { SimBook, SimBookDiff, SimTrade } from './sim-events.ts'

/** One pair of one venue: orders trade against the book, then the quotes follow the hidden price. */
export type PairMarket = {
  /** The trades after the last call and until `atMs`, oldest first. */
  trade(atMs: number): readonly SimTrade[]
  /** Moves the quotes to `atMs`; `undefined` when nothing changed. */
  requote(atMs: number): SimBookDiff | undefined
  /** As of the last `requote`: the sum of all diffs so far. */
  book(): SimBook
}

export type PairInput = { seed: string; latent: Latent; startMs: number; btcOrdersPerSecond: number }

// Ids start from the time, which grows faster than ids are used: a later start never repeats an id.
const ID_EPOCH_S = Date.UTC(2020, 0, 1) / 1000
const TRADE_IDS_PER_S = 500
const FILL_IDS_PER_S = 1500
const UPDATE_IDS_PER_S = 5000
const MAX_FILLS = 3
// Orders and quotes of every tenth of a second have their own section of the random stream.
const SUBTICK_MS = 100
const POSITIONS_PER_SECTION = 2048

export function createPairMarket(input: PairInput, instrument: Instrument): PairMarket {
  const { seed, latent, startMs, btcOrdersPerSecond } = input
  const { venue, coin } = instrument
  const draws = createDraws(createRandomStream(seed, `micro/${venue}/${coin}`))
  const seek = (atMs: number, half: 0 | 1) =>
    draws.seek((Math.floor(atMs / SUBTICK_MS) * 2 + half) * POSITIONS_PER_SECTION)
  const requoteAround = createRequote(seed, instrument)
  const print = createTape(instrument, startMs, draws)
  const usualVol = COIN_MODELS[coin].volPerMinute / Math.sqrt(60)
  let updateId = idAt(startMs, UPDATE_IDS_PER_S)
  let tradedMs = startMs
  let quotes: Quotes = { bids: [], asks: [] }

  const requote = (atMs: number) => {
    seek(atMs, 0)
    const midTicks = Math.exp(latent.logPrice(venue, coin, atMs)) * 10 ** instrument.priceDecimals
    quotes = requoteAround(quotes, midTicks, latent.flow(coin, Math.floor(atMs / 1000)), draws)
  }
  const execute = (order: Order): readonly SimTrade[] => {
    const buying = order.side === 'buy'
    const { takes, rest } = takeFrom(buying ? quotes.asks : quotes.bids, order.lots)
    quotes = buying ? { ...quotes, asks: rest } : { ...quotes, bids: rest }
    return takes.map((take) => print(order, take))
  }
  requote(startMs)
  let shown = quotes
  let shownMs = startMs
  return {
    trade(atMs) {
      seek(atMs, 1)
      const second = Math.floor(tradedMs / 1000)
      const perSecond = ordersPerSecond(instrument, btcOrdersPerSecond, latent.vol(coin, second) / usualVol)
      const span = { fromMs: tradedMs, toMs: atMs, perSecond, flow: latent.flow(coin, second) }
      tradedMs = atMs
      return drawOrders(instrument, span, draws).flatMap(execute)
    },
    requote(atMs) {
      requote(atMs)
      const bids = diffSide(shown.bids, quotes.bids, -1)
      const asks = diffSide(shown.asks, quotes.asks, 1)
      shown = quotes
      shownMs = atMs
      const count = bids.length + asks.length
      if (count === 0) return undefined
      const firstUpdateId = updateId + 1
      updateId += count
      return { venue, coin, bids, asks, firstUpdateId, lastUpdateId: updateId, atMs }
    },
    book: () => ({ venue, coin, ...shown, updateId, atMs: shownMs }),
  }
}

function idAt(startMs: number, perSecond: number): number {
  return (Math.floor(startMs / 1000) - ID_EPOCH_S) * perSecond
}

/** Gives every execution its ids. */
function createTape({ venue, coin }: Instrument, startMs: number, draws: Draws) {
  let tradeId = idAt(startMs, TRADE_IDS_PER_S)
  let fillId = idAt(startMs, FILL_IDS_PER_S)
  return ({ side, atMs }: Order, { ticks, lots }: Take): SimTrade => {
    const fillLots = venue === 'binance' ? splitFills(lots, 1 + draws.below(MAX_FILLS)) : [lots]
    const firstTradeId = fillId + 1
    fillId += fillLots.length
    tradeId++
    return { venue, coin, id: tradeId, firstTradeId, fillLots, priceTicks: ticks, lots, side, atMs }
  }
}

/** Splits an aggregate trade into fills; the last one takes the remainder. */
function splitFills(lots: number, count: number): readonly number[] {
  if (lots < count) return [lots]
  const part = Math.floor(lots / count)
  return Array.from({ length: count }, (_, i) => (i < count - 1 ? part : lots - part * (count - 1)))
}
