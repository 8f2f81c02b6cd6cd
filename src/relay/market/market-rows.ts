import { COINS, type Coin } from '../../core/coin.ts'
import type { Level } from '../../core/level.ts'
import {
  type Book,
  type BookFault,
  type Kline,
  type OracleTick,
  PRICE_KINDS,
  type Trade,
  type Venue,
} from '../../feeds/events.ts'
import type { Basis } from '../../market/basis.ts'
import type { BookState } from '../../market/pair.ts'
import { at, list, maybe, number, oneOf, positive } from './checks.ts'

/** Values of the market as short lists, and back with every field checked. */
type Row = readonly unknown[]
type Of = { venue: Venue; coin: Coin }

const SIDES = ['buy', 'sell'] as const
const SOURCES = ['polybolt', 'coinbase_derived'] as const satisfies readonly OracleTick['source'][]
const FAULTS = [
  ...['crossed', 'empty_side', 'unordered', 'bad_level', 'sequence', 'disconnected', 'stalled'],
] as readonly BookFault[]
/** Of one side of a book, a price and a size each. */
const LEVELS_MAX = 10_000

export const toTradeRow = ({ id, price, size, side, fills, atMs }: Trade): Row => [
  ...[id, price, size, SIDES.indexOf(side), fills, atMs],
]
export function parseTrade(pair: Of, [id, price, size, side, fills, atMs]: Row): Trade {
  return {
    ...pair,
    id: number(id),
    price: positive(price),
    size: number(size),
    side: at(SIDES, side),
    fills: number(fills),
    atMs: number(atMs),
  }
}

export const toKlineRow = (kline: Kline): Row => {
  const { openMs, open, high, low, close, volume, takerBuyVolume, trades } = kline
  return [openMs, open, high, low, close, volume, takerBuyVolume, trades]
}
export function parseKline(pair: Of, row: Row): Kline {
  const [openMs, ...figures] = row
  return { ...pair, openMs: number(openMs), ...parseFigures(figures) }
}

export function parseFigures([open, high, low, close, volume, takerBuyVolume, trades]: Row) {
  return {
    open: positive(open),
    high: positive(high),
    low: positive(low),
    close: positive(close),
    volume: number(volume),
    takerBuyVolume: maybe(number, takerBuyVolume),
    trades: maybe(number, trades),
  }
}

export const toTickRow = ({ kind, price, source, atMs }: OracleTick): Row => [
  ...[PRICE_KINDS.indexOf(kind), price, SOURCES.indexOf(source), atMs],
]
export function parseTick(coin: Coin, [kind, price, source, atMs]: Row): OracleTick {
  return {
    coin,
    kind: at(PRICE_KINDS, kind),
    price: positive(price),
    source: at(SOURCES, source),
    atMs: number(atMs),
  }
}

export const toBookRow = ({ book, fault }: BookState): Row => [
  fault,
  book && [book.atMs, book.bids.flat(), book.asks.flat()],
]
export function parseBook(pair: Of, [fault, book]: Row): BookState {
  return { fault: maybe(parseFault, fault), book: maybe((held) => parseLevels(pair, list(held, 3)), book) }
}
const parseFault = (value: unknown) => oneOf(FAULTS, value)

function parseLevels(pair: Of, [atMs, bids, asks]: Row): Book {
  return { ...pair, bids: parseSide(bids), asks: parseSide(asks), atMs: number(atMs) }
}

function parseSide(flat: unknown): readonly Level[] {
  const numbers = list(flat, 2 * LEVELS_MAX)
  const levels: Level[] = []
  for (let n = 0; n < numbers.length; n += 2) levels.push([positive(numbers[n]), positive(numbers[n + 1])])
  return levels
}

export const toBasisRow = (basis: Basis | undefined): Row => (basis ? [basis.log, basis.asOfMs] : [])
export function parseBasis([log, asOfMs]: Row): Basis | undefined {
  if (log === undefined) return undefined
  return { log: number(log), bps: number(log) * 10_000, asOfMs: number(asOfMs) }
}

export const parseCoin = (value: unknown): Coin => oneOf(COINS, value)
