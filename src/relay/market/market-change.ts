import type { Coin } from '../../core/coin.ts'
import type { FeedSink } from '../../feeds/events.ts'
import type { Market, MarketParts } from '../../market/market.ts'
import { at, list, number } from './checks.ts'
import {
  parseBasis,
  parseBook,
  parseCoin,
  parseKline,
  parseTick,
  parseTrade,
  toBasisRow,
  toBookRow,
  toKlineRow,
  toTickRow,
  toTradeRow,
} from './market-rows.ts'
import { PAIRS, pairIndex } from './pairs.ts'

export const pairPart = (index: number): string => `pair:${index}`
export const coinPart = (coin: Coin): string => `coin:${coin}`

export type OwnMarket = Pick<Market, 'sink' | 'basis'> & { parts: MarketParts }
/** What an entry changes, which part of the state that belongs to, and how to do it. */
export type Change = { part: string; apply(market: OwnMarket): void }

/** A row of a change has fewer fields than this. */
const FIELDS_MAX = 12

/**
 * Hears the events of the feeds and gives them as changes. Trades, minutes and ticks all of them, in their order; of books
 * and basis what they are when asked, because only the last of them matters to whoever reads.
 */
export type MarketChanges = {
  /** Gets every event after the market got it. */
  sink: FeedSink
  /** All since the last time. */
  take(): readonly unknown[]
  readonly size: number
}

export function createMarketChanges(market: OwnMarket): MarketChanges {
  let rows: unknown[] = []
  const books = new Set<number>()
  const bases = new Set<Coin>()
  return {
    sink: {
      trade: (trade) => void rows.push(['t', pairIndex(trade.venue, trade.coin), ...toTradeRow(trade)]),
      kline: (kline) => void rows.push(['k', pairIndex(kline.venue, kline.coin), ...toKlineRow(kline)]),
      tradeDoubt: ({ venue, coin }) => void rows.push(['d', pairIndex(venue, coin)]),
      minuteLost: ({ venue, coin, openMs }) => void rows.push(['l', pairIndex(venue, coin), openMs]),
      oracle: (tick) => void rows.push(['o', tick.coin, ...toTickRow(tick)]),
      book({ venue, coin }) {
        books.add(pairIndex(venue, coin))
        bases.add(coin)
      },
      bookLost: ({ venue, coin }) => void books.add(pairIndex(venue, coin)),
    },
    take() {
      const taken = rows
      rows = []
      for (const index of books) {
        const { venue, coin } = at(PAIRS, index)
        taken.push(['b', index, ...toBookRow(market.parts.book(venue, coin))])
      }
      for (const coin of bases) taken.push(['s', coin, ...toBasisRow(market.basis(coin))])
      books.clear()
      bases.clear()
      return taken
    },
    get size() {
      return rows.length
    },
  }
}

/** Throws on what is no change of a market; nothing is applied then. */
export function parseMarketChange(row: unknown): Change {
  const [kind, of, ...fields] = list(row, FIELDS_MAX)
  const parse = PARSERS.get(kind)
  if (!parse) throw new Error('a change is of no kind that is known')
  return parse(of, fields)
}

type Fields = readonly unknown[]
type Pair = (typeof PAIRS)[number]
const ofPair =
  (parse: (pair: Pair, fields: Fields) => Change['apply']) =>
  (of: unknown, fields: Fields): Change => ({
    apply: parse(at(PAIRS, of), fields),
    part: pairPart(of as number),
  })
const ofCoin =
  (parse: (coin: Coin, fields: Fields) => Change['apply']) =>
  (of: unknown, fields: Fields): Change => {
    const coin = parseCoin(of)
    return { apply: parse(coin, fields), part: coinPart(coin) }
  }

const PARSERS: ReadonlyMap<unknown, (of: unknown, fields: Fields) => Change> = new Map(
  Object.entries({
    t: ofPair((pair, fields) => {
      const trade = parseTrade(pair, fields)
      return ({ sink }) => sink.trade(trade)
    }),
    k: ofPair((pair, fields) => {
      const kline = parseKline(pair, fields)
      return ({ sink }) => sink.kline(kline)
    }),
    d: ofPair((pair) => {
      // Nobody keeps when it was said.
      return ({ sink }) => sink.tradeDoubt({ ...pair, atMs: 0 })
    }),
    l: ofPair((pair, [openMs]) => {
      const lost = { ...pair, openMs: number(openMs) }
      return ({ sink }) => sink.minuteLost(lost)
    }),
    b: ofPair((pair, fields) => {
      const state = parseBook(pair, fields)
      return ({ parts }) => parts.setBook(pair.venue, pair.coin, state)
    }),
    o: ofCoin((coin, fields) => {
      const tick = parseTick(coin, fields)
      return ({ sink }) => sink.oracle(tick)
    }),
    s: ofCoin((coin, fields) => {
      const basis = parseBasis(fields)
      return ({ parts }) => parts.setBasis(coin, basis)
    }),
  }),
)
