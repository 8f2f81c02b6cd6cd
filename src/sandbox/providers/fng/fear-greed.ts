import { COINS } from '../../../core/coin.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import { COIN_MODELS } from '../../market/instrument.ts'

/** How high coins stand at the start of a day of the epoch. */
export type LevelAt = (day: number) => number

const DAY_MINUTES = DAY_MS / MINUTE_MS
const TREND_DAYS = 30
const SHAKEN_DAYS = 7
/** How strongly the mood follows the trend, and how much it falls when days get wilder. */
const TREND_WEIGHT = 0.9
const SHAKEN_WEIGHT = 0.35
/** The real index has hardly ever left this range. */
const RANGE = { min: 5, max: 95 }

/**
 * The index at the start of a day of the epoch: above 50 when coins stand higher than in the month before, in units of
 * their usual moves, and lower when the last week was wilder than usual.
 */
export function fearGreedOf(levelAt: LevelAt, day: number): number {
  const levels = Array.from({ length: TREND_DAYS + 1 }, (_, back) => levelAt(day - back))
  const [now = 0, ...before] = levels
  const trend = (now - meanOf(before)) / Math.sqrt(TREND_DAYS / 3)
  const moves = levels.slice(0, SHAKEN_DAYS).map((level, i) => (level - (levels[i + 1] ?? level)) ** 2)
  const shaken = Math.sqrt(meanOf(moves)) - 1
  const value = 50 + 50 * Math.tanh(TREND_WEIGHT * trend - SHAKEN_WEIGHT * shaken)
  return Math.round(Math.min(RANGE.max, Math.max(RANGE.min, value)))
}

/** The mean log price of the coins, each in units of its own usual move of a day. */
export function levelOf(logPrices: readonly number[]): number {
  return meanOf(
    COINS.map((coin, i) => (logPrices[i] ?? 0) / (COIN_MODELS[coin].volPerMinute * Math.sqrt(DAY_MINUTES))),
  )
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
