import { dollars, percent } from '../in-words.ts'
import { component, sumOfPoints, tenths } from '../score/component.ts'
import { linear, logarithmic } from '../score/curves.ts'
import type { ScoreComponent } from '../token-analysis.ts'
import { SCAM_MARKS, type ScamMark } from './scam-marks.ts'
import type { TrendingPool } from './trending-pool.ts'

export type TrendingScore = {
  /** From 0 to 100: the sum of all points, times what each mark leaves. */
  score: number
  components: readonly ScoreComponent[]
}

// Weights and bounds are reasoned in `docs/methodology/tokens.md`. They sum up to 100.
const WEIGHTS = { volume: 25, acceleration: 20, traders: 20, liquidity: 20, buyers: 15 }
const VOLUME_USD = { none: 10_000, full: 10_000_000 }
/** The last hour's volume, as if it went on for a day, over that of the day. */
const ACCELERATION = { none: 0.5, full: 4 }
const TRADERS = { none: 50, full: 5_000 }
const LIQUIDITY_USD = { none: 10_000, full: 2_000_000 }
/** Of those who trade. */
const BUYERS_SHARE = { none: 0.4, full: 0.6 }
const HOURS_A_DAY = 24

/** Anybody can do this again from what is shown. */
export function trendingScore(pool: TrendingPool, marks: readonly ScamMark[]): TrendingScore {
  const components = componentsOf(pool)
  const left = marks.reduce((share, mark) => share * SCAM_MARKS[mark], 1)
  return { score: tenths(sumOfPoints(components) * left), components }
}

function componentsOf(pool: TrendingPool): readonly ScoreComponent[] {
  return [
    byMagnitude('volume', pool.volumeUsd24h, VOLUME_USD, dollars),
    byMagnitude('acceleration', accelerationOf(pool), ACCELERATION, times),
    byMagnitude('traders', pool.traders24h, TRADERS, String),
    byMagnitude('liquidity', pool.liquidityUsd, LIQUIDITY_USD, dollars),
    component({
      name: 'buyers',
      weight: WEIGHTS.buyers,
      value: buyersShare(pool),
      shareOf: (share) => linear(share, BUYERS_SHARE.none, BUYERS_SHARE.full),
      whyOf: (share) => `${percent(share)}; ${boundsIn(percent, BUYERS_SHARE)}`,
    }),
  ]
}

type Bounds = { none: number; full: number }

const byMagnitude = (
  name: keyof typeof WEIGHTS,
  value: number | undefined,
  bounds: Bounds,
  inWords: (value: number) => string,
): ScoreComponent =>
  component({
    name,
    weight: WEIGHTS[name],
    value,
    shareOf: (found) => logarithmic(found, bounds.none, bounds.full),
    whyOf: (found) => `${inWords(found)}; ${boundsIn(inWords, bounds)}, by magnitude`,
  })

const boundsIn = (inWords: (value: number) => string, { none, full }: Bounds): string =>
  `nothing up to ${inWords(none)}, all from ${inWords(full)}`

const times = (value: number): string => `${Number(value.toFixed(2))} times`

const accelerationOf = ({ volumeUsd1h, volumeUsd24h }: TrendingPool): number | undefined =>
  volumeUsd1h === undefined || volumeUsd24h <= 0 ? undefined : (volumeUsd1h * HOURS_A_DAY) / volumeUsd24h

function buyersShare({ buyers, sellers }: TrendingPool): number | undefined {
  if (buyers === undefined || sellers === undefined || buyers + sellers === 0) return undefined
  return buyers / (buyers + sellers)
}
