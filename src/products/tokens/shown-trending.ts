import type { z } from 'zod'
import type { Part } from '../../intel/part.ts'
import { SCAM_MARKS } from '../../intel/tokens/trending/scam-marks.ts'
import type { ScoredPool, TrendingList } from '../../intel/tokens/trending/trending.ts'
import { isoTime } from '../fields.ts'
import { methodLink } from '../method-link.ts'
import { toPartFields } from '../part-fields.ts'
import { shownDollars, shownPercent, shownPrice } from './numbers.ts'
import { toComponents } from './shown-analysis.ts'
import type { PoolFields, TrendingFields } from './trending-fields.ts'

type SourceOf = (source: string) => string

const TIER = 'full'

export function toTrending(
  list: Exclude<Part<TrendingList>, { status: 'missing' }>,
  sourceOf: SourceOf,
): z.input<typeof TrendingFields> {
  const { pools, candidates, risks } = list.value
  return {
    pools: pools.map((pool) => toPool(pool, sourceOf)),
    tier: TIER,
    count: pools.length,
    candidates,
    method: methodLink('tokens', 'trending'),
    source: sourceOf(list.source),
    timestamp: isoTime(list.asOfMs),
    parts: [list, ...risks].map((part) => toPartFields(part, sourceOf)),
  }
}

function toPool(pool: ScoredPool, sourceOf: SourceOf): z.input<typeof PoolFields> {
  return {
    name: pool.token.name,
    symbol: pool.token.symbol,
    token_address: pool.token.address,
    price_usd: shownPrice(pool.priceUsd) ?? pool.priceUsd,
    price_change_24h: shownPercent(pool.change24h) ?? pool.change24h,
    volume_24h: shownDollars(pool.volumeUsd24h) ?? pool.volumeUsd24h,
    score: pool.score,
    components: toComponents(pool.components),
    marks: pool.marks.map((code) => ({ code, leaves: SCAM_MARKS[code] })),
    checked_by: pool.checkedBy.map(sourceOf),
    liquidity_usd: shownDollars(pool.liquidityUsd),
    pool_address: pool.id,
    dex: pool.dex ?? null,
    created_at: pool.createdMs === undefined ? null : isoTime(pool.createdMs),
  }
}
