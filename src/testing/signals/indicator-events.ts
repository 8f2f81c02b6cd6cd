import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { Level } from '../../core/level.ts'
import type { Book, Trade } from '../../feeds/events.ts'

export const START_MS = Date.UTC(2026, 0, 5, 12)

export function tradeAt(
  atMs: number,
  { price = 100, size = 1, side = 'buy' as Trade['side'], id = 1 } = {},
): Trade {
  return { venue: 'binance', coin: 'BTC', id, price, size, side, fills: 1, atMs: START_MS + atMs }
}

export function bookAt(atMs: number, bids: readonly Level[], asks: readonly Level[]): Book {
  return { venue: 'binance', coin: 'BTC', bids, asks, atMs: START_MS + atMs }
}

/** A book of these sizes, best first, around a price of 100. */
export function sizedBookAt(atMs: number, bidSizes: readonly number[], askSizes: readonly number[]): Book {
  const bids = bidSizes.map((size, at): Level => [100 - 0.01 * at, size])
  const asks = askSizes.map((size, at): Level => [100.01 + 0.01 * at, size])
  return bookAt(atMs, bids, asks)
}

export const HOSTILE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -1, -1e300, 1e300]

/** Trades in the order of arrival; some come late by up to ten seconds. */
export const someTrades = fc
  .array(
    fc.record({
      waitMs: fc.integer({ min: 0, max: 8_000 }),
      lateMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 10_000 })),
      price: fc.integer({ min: 9_990, max: 10_010 }).map((ticks) => ticks / 100),
      size: fc.double({ min: 1e-6, max: 1e4, noNaN: true }),
      side: fc.constantFrom('buy' as const, 'sell' as const),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((steps) => {
    let nowMs = 0
    return steps.map(({ waitMs, lateMs, ...rest }, at) => {
      nowMs += waitMs
      return tradeAt(at === 0 ? nowMs : Math.max(0, nowMs - lateMs), { ...rest, id: at })
    })
  })

// Recorded market data is not part of the project; tests that need it are skipped without it.
const HISTORY = new URL('../../../../shared/data/dev/', import.meta.url)

/** Rows of a recorded file without its header; undefined when it does not exist. */
export function findHistory(path: string): string[][] | undefined {
  const file = new URL(path, HISTORY)
  if (!existsSync(file)) return undefined
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  return lines.slice(1).map((line) => line.split(','))
}
