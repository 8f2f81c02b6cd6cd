import type { Level } from '../../core/level.ts'
import type { Trade } from '../../feeds/events.ts'

/** Line and times of a recorded row. Times are milliseconds; a recorder may lack either. */
type Stamp = { line: number; exchangeMs: number | undefined; localMs: number | undefined }

export type TradeTick = Stamp & { kind: 'trade'; price: number; size: number; side: Trade['side'] }
/** The best level of both sides. */
export type QuoteTick = Stamp & { kind: 'quote'; bid: Level; ask: Level }
/** The new size of one level; 0 removes it. */
export type DepthTick = Stamp & { kind: 'depth'; side: 'bid' | 'ask'; price: number; size: number }
export type Tick = TradeTick | QuoteTick | DepthTick

export const FORMATS = {
  trades: ['price', 'qty', 'buyer_is_maker'],
  bbo: ['bid', 'bid_qty', 'ask', 'ask_qty'],
  depth_diff: ['side', 'price', 'qty'],
} as const
export type Format = keyof typeof FORMATS

const TIMES = ['ts_exch', 'ts_local'] as const
/** Valid times. Seconds or microseconds mistaken for milliseconds lie outside. */
const [EARLIEST_MS, LATEST_MS] = [Date.UTC(2009), Date.UTC(2100)]

/** A row's tick, or what is wrong with it. */
export type TickParser = (row: string, line: number) => Tick | string

/** Which of the wanted formats a header names; undefined for none of them. */
export function findFormat(header: string, wanted: readonly Format[]): Format | undefined {
  const names = namesOf(header)
  if (!TIMES.some((name) => names.includes(name))) return undefined
  return wanted.find((format) => FORMATS[format].every((name) => names.includes(name)))
}

export function createTickParser(header: string, format: Format): TickParser {
  const names = namesOf(header)
  const width = names.length
  const toTick = { trades: parseTrade, bbo: parseQuote, depth_diff: parseDepth }[format]
  const columns = FORMATS[format].map((name) => names.indexOf(name))
  const [exchange, local] = TIMES.map((name) => names.indexOf(name)) as [number, number]
  return (row, line) => {
    const cells = row.split(',')
    if (cells.length !== width) return `${cells.length} cells where the header names ${width}`
    const [exchangeMs, localMs] = [timeOf(cells[exchange]), timeOf(cells[local])]
    if (Number.isNaN(exchangeMs)) return 'ts_exch is not a time in milliseconds'
    if (Number.isNaN(localMs)) return 'ts_local is not a time in milliseconds'
    if (exchangeMs === undefined && localMs === undefined) return 'ts_exch and ts_local are both empty'
    return toTick(
      { line, exchangeMs, localMs },
      columns.map((at) => (cells[at] ?? '').trim()),
    )
  }
}

function namesOf(header: string): string[] {
  return header.split(',').map((name) => name.trim().toLowerCase())
}

/** Undefined for an empty cell, NaN for one that is not a time. */
function timeOf(cell: string | undefined): number | undefined {
  if (cell === undefined || cell.trim() === '') return undefined
  const ms = Number(cell)
  return Number.isSafeInteger(ms) && ms >= EARLIEST_MS && ms < LATEST_MS ? ms : Number.NaN
}

/** NaN for an empty cell: `Number('')` would be a size of 0. */
function numberOf(cell: string | undefined): number {
  return cell ? Number(cell) : Number.NaN
}

const isPrice = (value: number) => value > 0 && Number.isFinite(value)
const isSize = (value: number) => value >= 0 && Number.isFinite(value)

function parseTrade(stamp: Stamp, [price, qty, maker]: readonly string[]): Tick | string {
  const [paid, size] = [numberOf(price), numberOf(qty)]
  if (!isPrice(paid)) return 'price is not a number above 0'
  if (!isPrice(size)) return 'qty is not a number above 0'
  if (maker !== '0' && maker !== '1') return 'buyer_is_maker is neither 0 nor 1'
  return { ...stamp, kind: 'trade', price: paid, size, side: maker === '0' ? 'buy' : 'sell' }
}

function parseQuote(stamp: Stamp, cells: readonly string[]): Tick | string {
  const [bid = 0, bidSize = 0, ask = 0, askSize = 0] = cells.map(numberOf)
  if (!isPrice(bid) || !isPrice(ask)) return 'bid or ask is not a number above 0'
  if (!isSize(bidSize) || !isSize(askSize)) return 'bid_qty or ask_qty is not a number of at least 0'
  return { ...stamp, kind: 'quote', bid: [bid, bidSize], ask: [ask, askSize] }
}

function parseDepth(stamp: Stamp, [side, price, qty]: readonly string[]): Tick | string {
  const [level, size] = [numberOf(price), numberOf(qty)]
  if (side !== 'b' && side !== 'a') return 'side is neither b nor a'
  if (!isPrice(level)) return 'price is not a number above 0'
  if (!isSize(size)) return 'qty is not a number of at least 0'
  return { ...stamp, kind: 'depth', side: side === 'b' ? 'bid' : 'ask', price: level, size }
}
