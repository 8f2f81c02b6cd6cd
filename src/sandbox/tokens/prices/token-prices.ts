import { createRandomStream } from '../../../core/math/random.ts'
import { HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { Course, Launch, TokenSpec } from '../specs/token-spec.ts'
import type { CoinHistory } from './coin-history.ts'
import { noiseAt } from './noise.ts'
import { createPricePath, type PricePath } from './price-path.ts'

/** The price of one token in dollars and how lively its market is, before large trades. */
export type TokenPrice = Pick<PricePath, 'activity' | 'mood'> & { usd(atMs: number): number }

const PEG_NOISE = 2e-4
const PEG_PERIOD_MS = 10 * MINUTE_MS
const FALL_MS = 8 * HOUR_MS
/** Those who are quick sell into the last liquidity. */
const RUG_TAKES_MS = MINUTE_MS
const LEFT_OF_PRICE = 1e-4
/** For the pools of coins and dollars only activity and mood are drawn. */
const NO_VOL = 0

export function createTokenPrice(seed: string, spec: TokenSpec, coins: CoinHistory): TokenPrice {
  const { course, key, createdMs, ruggedAtMs } = spec
  const path = createPricePath(seed, key, course.follows === 'nobody' ? course.volPerMinute : NO_VOL)
  const level = createLevel(seed, key, course, path, coins)
  return {
    activity: path.activity,
    mood: path.mood,
    usd(atMs) {
      const launch = course.follows === 'nobody' ? course.launch : undefined
      return level(atMs) * sinceLaunch(launch, atMs - createdMs) * afterRug(ruggedAtMs, atMs)
    },
  }
}

function createLevel(
  seed: string,
  key: string,
  course: Course,
  path: PricePath,
  coins: CoinHistory,
): (atMs: number) => number {
  if (course.follows === 'nobody') return (atMs) => course.priceUsd * Math.exp(path.logPrice(atMs))
  if (course.follows === 'dollar') {
    const stream = createRandomStream(seed, `peg/${key}`)
    return (atMs) => 1 + PEG_NOISE * noiseAt(stream, 0, PEG_PERIOD_MS, atMs)
  }
  const { follows, factor } = course
  return (atMs) => factor * coins(follows, atMs)
}

function sinceLaunch(launch: Launch | undefined, ageMs: number): number {
  if (!launch) return 1
  const age = Math.max(0, ageMs)
  const climbed = launch.climb * (1 - Math.exp(-age / launch.climbMs))
  return Math.exp(climbed - launch.fall * (1 - Math.exp(-age / FALL_MS)))
}

function afterRug(ruggedAtMs: number | undefined, atMs: number): number {
  if (ruggedAtMs === undefined || atMs <= ruggedAtMs) return 1
  return LEFT_OF_PRICE ** Math.min(1, (atMs - ruggedAtMs) / RUG_TAKES_MS)
}
