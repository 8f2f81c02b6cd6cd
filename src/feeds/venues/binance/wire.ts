import { COINS, type Coin } from '../../../core/coin.ts'
import { findFinite, findPositive } from '../../../core/finite.ts'
import type { Level } from '../../../core/level.ts'
import type { Kline, Trade } from '../../events.ts'
import { isSaneTime } from '../../sane-time.ts'
import { findId, findLevels, findText, isRecord, type WireRecord } from '../../wire-fields.ts'
import { type Malformed, malformed } from '../../wire-verdict.ts'

// Formats: developers.binance.com, "Web Socket Streams" and "Market Data endpoints" of the spot API.

/** A change of the book: everything from update `firstId` to `lastId`. A size of 0 removes the level. */
export type DepthChange = {
  firstId: number
  lastId: number
  atMs: number
  bids: readonly Level[]
  asks: readonly Level[]
}

/** Levels of each side that a snapshot has at most. 5,000 are possible and cost five times as much. */
export const SNAPSHOT_LEVELS = 1_000

/** The book as it was after update `lastId`. */
export type DepthSnapshot = { lastId: number; bids: readonly Level[]; asks: readonly Level[] }

export type BinanceMessage =
  | { kind: 'trade'; trade: Trade }
  | { kind: 'depth'; coin: Coin; change: DepthChange }
  | { kind: 'accepted'; id: number | undefined }
  /** The venue refused a request. */
  | { kind: 'refused'; id: number | undefined; reason: string }
  /** Not needed: a warning that the connection is about to close. */
  | { kind: 'notice' }
  | Malformed

const MAX_REASON_CHARS = 200

export function binanceSymbolOf(coin: Coin): string {
  return `${coin}USDT`
}

/** A trade of the aggTrade stream or of /api/v3/aggTrades; undefined when a field is invalid. */
export function findBinanceTrade(coin: Coin, wire: unknown, nowMs: number): Trade | undefined {
  if (!isRecord(wire) || typeof wire.m !== 'boolean') return undefined
  const id = findId(wire.a)
  const price = findPositive(wire.p)
  const size = findPositive(wire.q)
  const atMs = findId(wire.T)
  const first = findId(wire.f)
  const last = findId(wire.l)
  if (id === undefined || price === undefined || size === undefined || atMs === undefined) return undefined
  if (first === undefined || last === undefined || last < first || !isSaneTime(atMs, nowMs)) return undefined
  // `m`: the buyer was the maker, so the seller was the aggressor.
  return {
    venue: 'binance',
    coin,
    id,
    price,
    size,
    side: wire.m ? 'sell' : 'buy',
    fills: last - first + 1,
    atMs,
  }
}

/** A message of the socket at `/ws`, whose events are not wrapped in the name of their stream. */
export function readBinanceMessage(message: unknown, nowMs: number): BinanceMessage {
  if (!isRecord(message)) return malformed()
  const id = findId(message.id)
  if ('error' in message || 'code' in message) return { kind: 'refused', id, reason: reasonOf(message) }
  if ('result' in message) return { kind: 'accepted', id }
  if (message.e === 'serverShutdown') return { kind: 'notice' }
  const coin = coinBySymbol.get(findText(message.s) ?? '')
  if (message.e === 'aggTrade') {
    const trade = coin && findBinanceTrade(coin, message, nowMs)
    return trade ? { kind: 'trade', trade } : malformed('trades', coin)
  }
  if (message.e !== 'depthUpdate') return malformed(undefined, coin)
  const change = findDepthChange(message)
  return coin && change ? { kind: 'depth', coin, change } : malformed('book', coin)
}

/** A reply of /api/v3/depth. */
export function findDepthSnapshot(reply: unknown): DepthSnapshot | undefined {
  if (!isRecord(reply)) return undefined
  const lastId = findId(reply.lastUpdateId)
  const bids = findLevels(reply.bids)
  const asks = findLevels(reply.asks)
  return lastId === undefined || !bids || !asks ? undefined : { lastId, bids, asks }
}

/** A row of /api/v3/klines. */
export function findBinanceKline(coin: Coin, row: unknown): Kline | undefined {
  if (!Array.isArray(row)) return undefined
  const [openMs, open, high, low, close] = [findId(row[0]), ...row.slice(1, 5).map(findPositive)]
  const [volume, trades, takerBuyVolume] = [findFinite(row[5]), findId(row[8]), findFinite(row[9])]
  if (openMs === undefined || !open || !high || !low || !close || volume === undefined) return undefined
  return { venue: 'binance', coin, openMs, open, high, low, close, volume, takerBuyVolume, trades }
}

const coinBySymbol: ReadonlyMap<string, Coin> = new Map(COINS.map((coin) => [binanceSymbolOf(coin), coin]))

/** `{code, msg}`, in some answers inside `error`. */
function reasonOf(message: WireRecord): string {
  const { msg } = isRecord(message.error) ? message.error : message
  return (findText(msg) ?? 'no reason given').slice(0, MAX_REASON_CHARS)
}

function findDepthChange(message: WireRecord): DepthChange | undefined {
  const [firstId, lastId, atMs] = [findId(message.U), findId(message.u), findId(message.E)]
  const bids = findLevels(message.b)
  const asks = findLevels(message.a)
  if (firstId === undefined || lastId === undefined || lastId < firstId) return undefined
  return atMs === undefined || !bids || !asks ? undefined : { firstId, lastId, atMs, bids, asks }
}
