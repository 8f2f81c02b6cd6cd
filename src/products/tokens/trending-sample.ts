import { DAY_MS } from '../../core/time/time.ts'
import type { ScamMark } from '../../intel/tokens/trending/scam-marks.ts'
import { TRENDING_SOURCE } from '../../intel/tokens/trending/trending.ts'
import type { TrendingPool } from '../../intel/tokens/trending/trending-pool.ts'
import { trendingScore } from '../../intel/tokens/trending/trending-score.ts'
import { sampleTime } from '../fields.ts'
import { toTrending } from './shown-trending.ts'

// Made by the code that makes the replies, so that the sum of the example is right.

const NOON_MS = Date.parse(sampleTime)

const pool: TrendingPool = {
  id: `0x${'4e'.repeat(20)}`,
  dex: 'uniswap-v3-base',
  token: { address: `0x${'c0'.repeat(20)}`, name: 'Coffee', symbol: 'CUP' },
  priceUsd: 0.0351,
  change24h: 1.25,
  volumeUsd24h: 1_825_040.5,
  volumeUsd1h: 96_200,
  liquidityUsd: 912_075.25,
  fdvUsd: 35_100_000,
  createdMs: NOON_MS - DAY_MS / 2,
  buys24h: 6_120,
  sells24h: 5_870,
  buyers: 212,
  sellers: 187,
  traders24h: 3_410,
  reports: 0,
}
const marks: readonly ScamMark[] = ['young']
const fresh = <T>(source: string, value: T) => ({ source, status: 'fresh', value, asOfMs: NOON_MS }) as const
const [security, simulation] = [fresh('goplus', undefined), fresh('honeypot.is', undefined)]

export const sampleTrending = toTrending(
  fresh(TRENDING_SOURCE, {
    pools: [
      {
        ...pool,
        ...trendingScore(pool, marks),
        marks,
        checkedBy: ['goplus', 'honeypot.is'],
      },
    ],
    candidates: 31,
    risks: [security, simulation],
  }),
  (source) => source,
)
