import type { Coin } from '../core/coin.ts'
import { findFinite, findPositive } from '../core/finite.ts'

/** What the guard before ccxt does with a message. ccxt itself is lenient: it would guess at broken fields. */
export type WireVerdict =
  | { kind: 'pass' }
  | { kind: 'malformed'; stream: 'trades' | 'book' | undefined; coin: Coin | undefined }

export const PASS: WireVerdict = { kind: 'pass' }

export function malformed(stream?: 'trades' | 'book', coin?: Coin): WireVerdict {
  return { kind: 'malformed', stream, coin }
}

export type WireRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Ids and times come as numbers over sockets and as text over REST. */
export function findId(value: unknown): number | undefined {
  const id = findFinite(value)
  return id !== undefined && Number.isSafeInteger(id) && id >= 0 ? id : undefined
}

/** `[price, size]` with a size of zero for a level that is gone. */
export function isWireLevels(value: unknown, priceAt = 0): boolean {
  return Array.isArray(value) && value.every((level) => isWireLevel(level, priceAt))
}

function isWireLevel(level: unknown, priceAt: number): boolean {
  if (!Array.isArray(level) || findPositive(level[priceAt]) === undefined) return false
  const size = findFinite(level[priceAt + 1])
  return size !== undefined && size >= 0
}
