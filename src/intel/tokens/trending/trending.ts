import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { GeckoTerminal, TrendingDuration } from '../../../upstreams/geckoterminal/client.ts'
import type { GeckoPool } from '../../../upstreams/geckoterminal/pool-wire.ts'
import { createPolled } from '../../../upstreams/polled.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'
import { mapPart, type Part, toPart } from '../../part.ts'
import { TOKEN_FACTS, type TokenFactsReader } from '../facts/token-facts.ts'
import type { TokenSource } from '../token-analysis.ts'
import { checkedBy, type RiskCheck, riskParts } from './risk-parts.ts'
import { type ScamMark, scamMarks } from './scam-marks.ts'
import { type TrendingPool, toTrendingPool } from './trending-pool.ts'
import { type TrendingScore, trendingScore } from './trending-score.ts'

export type ScoredPool = TrendingPool &
  TrendingScore & {
    marks: readonly ScamMark[]
    /** The risk sources that told something of its token. */
    checkedBy: readonly TokenSource[]
  }
export type TrendingList = {
  /** The highest score first, one pool for each token. */
  pools: readonly ScoredPool[]
  candidates: number
  /** What is behind the marks, a part for each risk source. */
  risks: readonly Part<undefined>[]
}

export type Trending = {
  /** Read from memory. */
  list(): Part<TrendingList>
  start(): Promise<void>
  stop(): void
}

type FoundPools = Omit<TrendingList, 'risks'> & { checks: readonly RiskCheck[] }

export const TRENDING_SOURCE = 'geckoterminal'
const EVERY_MS = MINUTE_MS
/** This allows for three reads that fail. */
const AGES = { freshMs: 2 * MINUTE_MS, hardMs: 5 * MINUTE_MS }
/** Of ten pools that are traded most, some price or volume moves within three reads. */
const MOVES_WITHIN_MS = 3 * MINUTE_MS
/** What is hot now, and what was all day. */
const DURATIONS: readonly TrendingDuration[] = ['1h', '24h']
const TRENDING_COUNT = 10
/** The risk sources allow thirty requests a minute, and buyers of analyses need them more. */
const CHECKED = 14

type Ports = {
  clock: Clock
  random: () => number
  facts: Pick<TokenFactsReader, 'readOne'>
} & Pick<GeckoTerminal, 'trendingPools'>

export function createTrending({ clock, random, facts, trendingPools }: Ports): Trending {
  const check = async (address: string): Promise<RiskCheck> => {
    const [security, simulation] = await Promise.all([
      facts.readOne('security', address),
      facts.readOne('simulation', address),
    ])
    return { security, simulation }
  }
  const fetch = async (): Promise<FoundPools> => {
    const candidates = toCandidates(await readAny(trendingPools))
    // The last list is served on while it is young enough: on Base something always trades.
    if (candidates.length === 0) throw new UpstreamError('malformed', 'trending pools: none can be used')
    const nowMs = clock.now()
    const hopeful = candidates
      .map((pool) => scored(pool, UNCHECKED, nowMs))
      .sort(byScore)
      .slice(0, CHECKED)
    const checked = await Promise.all(
      hopeful.map(async (pool) => {
        const found = await check(pool.token.address)
        return { pool: scored(pool, found, nowMs), check: found }
      }),
    )
    const best = checked.sort((a, b) => byScore(a.pool, b.pool)).slice(0, TRENDING_COUNT)
    return {
      pools: best.map(({ pool }) => pool),
      candidates: candidates.length,
      checks: best.map((one) => one.check),
    }
  }
  const polled = createPolled({
    ...{ clock, random, everyMs: EVERY_MS, fetch },
    moves: { withinMs: MOVES_WITHIN_MS, of: toldBySource },
  })
  return {
    list() {
      const nowMs = clock.now()
      const found = toPart({ source: TRENDING_SOURCE, ages: AGES, nowMs }, polled.last(), polled.fault())
      return mapPart(found, ({ checks, ...list }) => ({ ...list, risks: riskParts(checks, nowMs) }))
    },
    start: polled.start,
    stop: polled.stop,
  }
}

/** Without scores and marks, which change with our own clock and with other sources. */
const toldBySource = ({ pools }: FoundPools) =>
  pools
    .map(({ id, priceUsd, volumeUsd24h, volumeUsd1h, liquidityUsd }) => [
      id,
      priceUsd,
      volumeUsd24h,
      volumeUsd1h,
      liquidityUsd,
    ])
    .sort()

const UNCHECKED: RiskCheck = {
  security: { source: TOKEN_FACTS.security.source, status: 'missing', reason: 'not asked yet' },
  simulation: { source: TOKEN_FACTS.simulation.source, status: 'missing', reason: 'not asked yet' },
}

/** One of the lists is enough. */
async function readAny(trendingPools: GeckoTerminal['trendingPools']): Promise<readonly GeckoPool[]> {
  const lists = await Promise.allSettled(DURATIONS.map((duration) => trendingPools(duration)))
  const read = lists.flatMap((list) => (list.status === 'fulfilled' ? [list.value.pools] : []))
  if (read.length > 0) return read.flat()
  const [first] = lists
  throw first?.status === 'rejected' ? first.reason : new Error('no list of pools was asked for')
}

/** Of several pools of one token, the most liquid one. */
function toCandidates(pools: readonly GeckoPool[]): readonly TrendingPool[] {
  const byToken = new Map<string, TrendingPool>()
  for (const pool of pools) {
    const found = toTrendingPool(pool)
    if (!found) continue
    const other = byToken.get(found.token.address)
    if (!other || (found.liquidityUsd ?? 0) > (other.liquidityUsd ?? 0))
      byToken.set(found.token.address, found)
  }
  return [...byToken.values()]
}

function scored(pool: TrendingPool, check: RiskCheck, nowMs: number): ScoredPool {
  const marks = scamMarks(pool, check, nowMs)
  return { ...pool, ...trendingScore(pool, marks), marks, checkedBy: checkedBy(check) }
}

const byScore = (a: ScoredPool, b: ScoredPool): number =>
  b.score - a.score || b.volumeUsd24h - a.volumeUsd24h || a.id.localeCompare(b.id)
