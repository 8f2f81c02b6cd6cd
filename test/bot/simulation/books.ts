import type { Coin } from '../../../src/core/coin.ts'
import type { Level } from '../../../src/core/level.ts'
import { createRandomStream } from '../../../src/core/math/random.ts'
import { indexOf, STEP_MS } from './course.ts'
import type { SimMarkets } from './markets.ts'

export type SimLevel = { priceE4: number; sharesE6: bigint }
/** The one book of a market, in prices of UP. Orders take from it until the next step makes a new one. */
export type SimBook = { step: number; tickE4: number; bids: SimLevel[]; asks: SimLevel[]; changes: number }

export type SimBooks = {
  /** The book of now; what is taken from it stays taken. */
  current(coin: Coin, startS: number, nowMs: number): SimBook
  /** As it was made at a step, before anybody took anything. */
  made(coin: Coin, startS: number, step: number): SimBook
}

export const LOT_E6 = 10_000n
const DOLLAR_E4 = 10_000
const COARSE_E4 = 100
const FINE_E4 = 10
/** What a market is wrong by: this makes the edge that the bot looks for. */
const MISPRICED = 0.035
const STEPS_OF_A_MOOD = 8

export const stepAt = (startS: number, nowMs: number): number => Math.floor((nowMs - startS * 1000) / STEP_MS)

export function createSimBooks(seed: number, markets: SimMarkets): SimBooks {
  const stream = createRandomStream(String(seed), 'books')
  const newest = new Map<string, SimBook>()
  const made = (coin: Coin, startS: number, step: number): SimBook => {
    const at = (indexOf(coin, startS) * 1_000 + (step + 500)) * 30
    const mood = (indexOf(coin, startS) * 1_000 + Math.floor((step + 500) / STEPS_OF_A_MOOD)) * 30 + 29
    const fair = markets.of(coin, startS).course.fairUp(step)
    const mid = Math.min(0.985, Math.max(0.015, fair + MISPRICED * stream.normal(mood)))
    const tickE4 = mid > 0.96 || mid < 0.04 ? FINE_E4 : COARSE_E4
    const halfE4 = 30 + 80 * stream.uniform(at)
    const bidE4 = Math.max(tickE4, Math.floor((mid * DOLLAR_E4 - halfE4) / tickE4) * tickE4)
    const askE4 = Math.max(bidE4 + tickE4, Math.ceil((mid * DOLLAR_E4 + halfE4) / tickE4) * tickE4)
    const side = (bestE4: number, sign: number, from: number) => {
      const levels: SimLevel[] = []
      const count = 1 + (stream.uint32(from) % 4)
      for (let level = 0, priceE4 = bestE4; level < count; level++) {
        if (priceE4 < tickE4 || priceE4 > DOLLAR_E4 - tickE4) break
        const isDust = stream.uniform(from + 1 + 3 * level) < 0.15
        const lots = 1 + (stream.uint32(from + 2 + 3 * level) % (isDust ? 150 : 9_000))
        levels.push({ priceE4, sharesE6: BigInt(lots) * LOT_E6 })
        priceE4 += sign * tickE4 * (1 + (stream.uint32(from + 3 + 3 * level) % 2))
      }
      return levels
    }
    return { step, tickE4, bids: side(bidE4, -1, at + 1), asks: side(askE4, 1, at + 15), changes: 0 }
  }
  return {
    made,
    current(coin, startS, nowMs) {
      const key = `${coin}${startS}`
      const step = stepAt(startS, nowMs)
      const known = newest.get(key)
      if (known && known.step >= step) return known
      const book = made(coin, startS, step)
      newest.delete(key)
      newest.set(key, book)
      const [oldest] = newest.keys()
      if (newest.size > 64 && oldest !== undefined) newest.delete(oldest)
      return book
    },
  }
}

const toLevels = (levels: readonly SimLevel[], priceOf: (priceE4: number) => number): Level[] =>
  levels
    .filter(({ sharesE6 }) => sharesE6 > 0n)
    .map(({ priceE4, sharesE6 }) => [priceOf(priceE4) / DOLLAR_E4, Number(sharesE6) / 1e6])

/** Bids and asks of a token: those of DOWN are those of UP seen from the other side. */
export function levelsOf({ bids, asks }: SimBook, token: 'UP' | 'DOWN'): { bids: Level[]; asks: Level[] } {
  const turned = (priceE4: number) => (token === 'UP' ? priceE4 : DOLLAR_E4 - priceE4)
  return token === 'UP'
    ? { bids: toLevels(bids, turned), asks: toLevels(asks, turned) }
    : { bids: toLevels(asks, turned), asks: toLevels(bids, turned) }
}
