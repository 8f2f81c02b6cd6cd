import { COINS, type Coin } from '../../../core/coin.ts'
import { findFinite, findPositive } from '../../../core/finite.ts'
import type { Level } from '../../../core/level.ts'
import type { Kline, Trade } from '../../events.ts'
import { isSaneTime } from '../../sane-time.ts'
import { findId, findLevel, findLevels, findText, isRecord } from '../../wire-fields.ts'
import { type Malformed, malformed } from '../../wire-verdict.ts'

// Formats: docs.cdp.coinbase.com, Exchange API, "WebSocket channels" and "Products".

export type Level2Change = { side: 'bids' | 'asks'; level: Level }

export type CoinbaseMessage =
  | { kind: 'trade'; trade: Trade }
  | { kind: 'snapshot'; coin: Coin; bids: readonly Level[]; asks: readonly Level[] }
  /** `atMs` is undefined for an unreadable time, and negative for the year 1, which some changes carry. */
  | { kind: 'changes'; coin: Coin; changes: readonly Level2Change[]; atMs: number | undefined }
  | { kind: 'accepted' }
  /** The venue refused a request. `product` is the one that the reason names. */
  | { kind: 'refused'; reason: string; product: string | undefined }
  /** Not needed: the last match before the subscription, other channels. */
  | { kind: 'notice' }
  | Malformed

const MAX_REASON_CHARS = 200

export function coinbaseProductOf(coin: Coin): string {
  return `${coin}-USD`
}

/** A trade of the matches channel or of /products/{id}/trades; undefined when a field is invalid. */
export function findCoinbaseTrade(coin: Coin, wire: unknown, nowMs: number): Trade | undefined {
  if (!isRecord(wire) || (wire.side !== 'buy' && wire.side !== 'sell')) return undefined
  const id = findId(wire.trade_id)
  const price = findPositive(wire.price)
  const size = findPositive(wire.size)
  const atMs = findTime(wire.time)
  if (id === undefined || price === undefined || size === undefined || atMs === undefined) return undefined
  if (!isSaneTime(atMs, nowMs)) return undefined
  // `side` is the maker's; the aggressor was on the other side.
  return {
    venue: 'coinbase',
    coin,
    id,
    price,
    size,
    side: wire.side === 'buy' ? 'sell' : 'buy',
    fills: 1,
    atMs,
  }
}

export function readCoinbaseMessage(message: unknown, nowMs: number): CoinbaseMessage {
  if (!isRecord(message) || typeof message.type !== 'string') return malformed()
  const coin = coinByProduct.get(findText(message.product_id) ?? '')
  switch (message.type) {
    case 'match': {
      const trade = coin && findCoinbaseTrade(coin, message, nowMs)
      return trade ? { kind: 'trade', trade } : malformed('trades', coin)
    }
    case 'snapshot': {
      const bids = findLevels(message.bids)
      const asks = findLevels(message.asks)
      return coin && bids && asks ? { kind: 'snapshot', coin, bids, asks } : malformed('book', coin)
    }
    case 'l2update': {
      const changes = findChanges(message.changes)
      const atMs = findTime(message.time)
      return coin && changes ? { kind: 'changes', coin, changes, atMs } : malformed('book', coin)
    }
    case 'error':
      return toRefused(reasonOf(message.message, message.reason))
    case 'subscriptions':
      return { kind: 'accepted' }
    default:
      return { kind: 'notice' }
  }
}

/** A row of /products/{id}/candles: `[time, low, high, open, close, volume]`, time in seconds. */
export function findCoinbaseKline(coin: Coin, row: unknown): Kline | undefined {
  if (!Array.isArray(row)) return undefined
  const [openS, low, high, open, close] = [findId(row[0]), ...row.slice(1, 5).map(findPositive)]
  const volume = findFinite(row[5])
  if (openS === undefined || !open || !high || !low || !close || volume === undefined) return undefined
  const openMs = openS * 1000
  const unknown = { takerBuyVolume: undefined, trades: undefined }
  return { venue: 'coinbase', coin, openMs, open, high, low, close, volume, ...unknown }
}

function findTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : atMs
}

const coinByProduct: ReadonlyMap<string, Coin> = new Map(COINS.map((coin) => [coinbaseProductOf(coin), coin]))

function toRefused(reason: string): CoinbaseMessage {
  return { kind: 'refused', reason, product: [...coinByProduct.keys()].find((name) => reason.includes(name)) }
}

function reasonOf(...texts: unknown[]): string {
  const said = texts.flatMap((text) => findText(text) ?? []).join(': ')
  return (said || 'no reason given').slice(0, MAX_REASON_CHARS)
}

/** Rows of `[side, price, size]`. */
function findChanges(value: unknown): readonly Level2Change[] | undefined {
  if (!Array.isArray(value)) return undefined
  const changes: Level2Change[] = []
  for (const row of value) {
    if (!Array.isArray(row) || (row[0] !== 'buy' && row[0] !== 'sell')) return undefined
    const level = findLevel(row[1], row[2])
    if (!level) return undefined
    changes.push({ side: row[0] === 'buy' ? 'bids' : 'asks', level })
  }
  return changes
}
