import type { Level } from '../../core/level.ts'
import type { BookFault } from '../events.ts'

/** What is wrong with a book; undefined if nothing is. Sides are best first. */
export function findBookFault(bids: readonly Level[], asks: readonly Level[]): BookFault | undefined {
  const bestBid = bids[0]
  const bestAsk = asks[0]
  if (!bestBid || !bestAsk) return 'empty_side'
  if (!bids.every(isLevel) || !asks.every(isLevel)) return 'bad_level'
  if (bestBid[0] >= bestAsk[0]) return 'crossed'
  if (!falls(bids) || !rises(asks)) return 'unordered'
  return undefined
}

function isLevel([price, size]: Level): boolean {
  return Number.isFinite(price) && price > 0 && Number.isFinite(size) && size > 0
}

function falls(levels: readonly Level[]): boolean {
  return levels.every((level, at) => at === 0 || level[0] < (levels[at - 1]?.[0] ?? 0))
}

function rises(levels: readonly Level[]): boolean {
  return levels.every((level, at) => at === 0 || level[0] > (levels[at - 1]?.[0] ?? 0))
}
