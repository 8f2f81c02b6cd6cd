import type { Level } from '../../core/level.ts'
import type { TokenChanges } from '../../feeds/prediction/book/recent-changes.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'

const TICK = 0.01
const toPrice = (cents: number) => cents / 100

/** A venue's book of one token, with every state that it was in. */
export type ModelBook = {
  /** Sets the size at a price; resting orders that it would cross are gone. */
  change(
    atMs: number,
    levels: readonly { side: 'bids' | 'asks'; cents: number; shares: number }[],
  ): TokenChanges
  book(): TokenBook
  /** True if the levels were the venue's at some moment from `sinceMs` to now. */
  wasSince(levels: Pick<TokenBook, 'bids' | 'asks'>, sinceMs: number): boolean
}

export function createModelBook({
  tokenId,
  conditionId,
  atMs,
}: Pick<TokenBook, 'tokenId' | 'conditionId' | 'atMs'>): ModelBook {
  const sides = { bids: new Map<number, number>(), asks: new Map<number, number>() }
  const sorted = (side: 'bids' | 'asks'): Level[] =>
    [...sides[side]]
      .sort(([a], [b]) => (side === 'bids' ? b - a : a - b))
      .map(([cents, shares]) => [toPrice(cents), shares])
  let lastMs = atMs
  const book = (): TokenBook => ({
    tokenId,
    conditionId,
    bids: sorted('bids'),
    asks: sorted('asks'),
    tickSize: TICK,
    minOrderSize: 5,
    lastTradePrice: undefined,
    hash: undefined,
    atMs: lastMs,
  })
  /** Each was the venue's until the next one. */
  const states = [{ fromMs: Number.NEGATIVE_INFINITY, key: keyOf(book()) }]
  return {
    change(changeMs, levels) {
      lastMs = changeMs
      const told: { side: 'bids' | 'asks'; price: number; shares: number }[] = []
      const set = (side: 'bids' | 'asks', cents: number, shares: number) => {
        if (shares === 0) sides[side].delete(cents)
        else sides[side].set(cents, shares)
        told.push({ side, price: toPrice(cents), shares })
      }
      for (const { side, cents, shares } of levels) {
        const other = side === 'bids' ? 'asks' : 'bids'
        const isCrossing = (at: number) => (side === 'bids' ? at <= cents : at >= cents)
        if (shares > 0) for (const at of [...sides[other].keys()].filter(isCrossing)) set(other, at, 0)
        set(side, cents, shares)
      }
      states.push({ fromMs: changeMs, key: keyOf(book()) })
      return {
        atMs: changeMs,
        levels: told,
        bestBid: sorted('bids')[0]?.[0] ?? 0,
        bestAsk: sorted('asks')[0]?.[0] ?? 1,
      }
    },
    book,
    wasSince(levels, sinceMs) {
      const key = keyOf(levels)
      return states.some(
        (state, at) => state.key === key && (states[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY) > sinceMs,
      )
    },
  }
}

const keyOf = ({ bids, asks }: Pick<TokenBook, 'bids' | 'asks'>) => JSON.stringify([bids, asks])
