import { COINS, type Coin } from '../../../core/coin.ts'
import { findFinite, findPositive } from '../../../core/finite.ts'
import type { Kline, Trade } from '../../events.ts'
import { isSaneTime } from '../../sane-time.ts'
import {
  findId,
  isRecord,
  isWireLevels,
  malformed,
  PASS,
  type WireRecord,
  type WireVerdict,
} from '../../wire-verdict.ts'

// Formats: docs.cdp.coinbase.com, Exchange API, "WebSocket channels" and "Products".

export function coinbaseProductOf(coin: Coin): string {
  return `${coin}-USD`
}

export function findCoinbaseAsset(message: WireRecord): Coin | undefined {
  return assetByProduct.get(String(message.product_id))
}

/** A trade as the matches channel and /products/{id}/trades write it; undefined when any field is off. */
export function findCoinbaseTrade(coin: Coin, wire: unknown, nowMs: number): Trade | undefined {
  if (!isRecord(wire) || (wire.side !== 'buy' && wire.side !== 'sell')) return undefined
  const id = findId(wire.trade_id)
  const price = findPositive(wire.price)
  const size = findPositive(wire.size)
  const atMs = findTime(wire.time)
  if (id === undefined || price === undefined || size === undefined || atMs === undefined) return undefined
  if (!isSaneTime(atMs, nowMs)) return undefined
  // `side` is the maker's: the aggressor was on the other one.
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

/** Whether ccxt may see this message. */
export function judgeCoinbase(message: unknown, nowMs: number): WireVerdict {
  if (!isRecord(message) || typeof message.type !== 'string') return malformed()
  const coin = findCoinbaseAsset(message)
  switch (message.type) {
    case 'match':
      return coin && findCoinbaseTrade(coin, message, nowMs) ? PASS : malformed('trades', coin)
    case 'snapshot':
      return coin && isWireLevels(message.bids) && isWireLevels(message.asks) ? PASS : malformed('book', coin)
    case 'l2update':
      return coin && isChanges(message.changes) ? PASS : malformed('book', coin)
    default:
      return PASS
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

export function findTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : atMs
}

const assetByProduct: ReadonlyMap<string, Coin> = new Map(
  COINS.map((coin) => [coinbaseProductOf(coin), coin]),
)

function isChanges(value: unknown): boolean {
  if (!Array.isArray(value) || !isWireLevels(value, 1)) return false
  return value.every((change) => change[0] === 'buy' || change[0] === 'sell')
}
