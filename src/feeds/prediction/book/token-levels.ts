import type { Level } from '../../../core/level.ts'
import { isSaneTime } from '../../sane-time.ts'

/** Prices are whole ten-thousandths of a dollar, the venue's smallest tick; a share pays one dollar at most. */
const DOLLAR_E4 = 10_000
const TICKS_E4: readonly number[] = [1, 10, 100, 1_000]
/** The largest level seen was ten million shares. */
const MAX_SHARES = 1e12
/** Above the fractions that a double cannot hold, below the distance of two prices. */
const GRID_ERROR = 1e-6

export type BookTrouble = 'bad_level' | 'off_tick' | 'unordered' | 'crossed' | 'bad_time'

/** What is wrong with a book that is best first on both sides; undefined if nothing is. A side may be empty. */
export function findBookTrouble(
  { bids, asks, atMs }: { bids: readonly Level[]; asks: readonly Level[]; atMs: number },
  tickE4: number,
  nowMs: number,
): BookTrouble | undefined {
  if (!isSaneTime(atMs, nowMs)) return 'bad_time'
  for (const level of [...bids, ...asks]) {
    const trouble = findLevelTrouble(level, tickE4)
    if (trouble) return trouble
    if (level[1] === 0) return 'bad_level'
  }
  if (!isMonotone(bids, -1) || !isMonotone(asks, 1)) return 'unordered'
  return isCrossed(bids[0]?.[0], asks[0]?.[0]) ? 'crossed' : undefined
}

/** Of a level, or of a change whose size is 0 because the price is gone. */
export function findLevelTrouble([price, shares]: Level, tickE4: number): BookTrouble | undefined {
  const priceE4 = findPriceE4(price)
  if (priceE4 === undefined || !(shares >= 0 && shares <= MAX_SHARES)) return 'bad_level'
  return priceE4 % tickE4 === 0 ? undefined : 'off_tick'
}

export const isCrossed = (bid: number | undefined, ask: number | undefined): boolean =>
  bid !== undefined && ask !== undefined && bid >= ask

/** The same number for the same price, however it was written or computed. */
export const toGrid = (price: number): number => Math.round(price * DOLLAR_E4) / DOLLAR_E4

/** Undefined for a tick that the venue does not have. */
export function findTickE4(tickSize: number | undefined): number | undefined {
  const tickE4 = tickSize === undefined ? undefined : wholeE4(tickSize)
  return tickE4 !== undefined && TICKS_E4.includes(tickE4) ? tickE4 : undefined
}

export const toTickSize = (tickE4: number): number => tickE4 / DOLLAR_E4

export function equalLevels(a: readonly Level[], b: readonly Level[]): boolean {
  return (
    a.length === b.length && a.every(([price, shares], at) => price === b[at]?.[0] && shares === b[at]?.[1])
  )
}

function findPriceE4(price: number): number | undefined {
  const priceE4 = wholeE4(price)
  return priceE4 !== undefined && priceE4 > 0 && priceE4 < DOLLAR_E4 ? priceE4 : undefined
}

function wholeE4(value: number): number | undefined {
  const e4 = Math.round(value * DOLLAR_E4)
  return Math.abs(value * DOLLAR_E4 - e4) < GRID_ERROR ? e4 : undefined
}

function isMonotone(levels: readonly Level[], direction: 1 | -1): boolean {
  return levels.every(([price], at) => at === 0 || (price - (levels[at - 1]?.[0] ?? price)) * direction > 0)
}
