import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { TokenServices } from './services.ts'
import { toTrending } from './shown-trending.ts'
import { TrendingFields } from './trending-fields.ts'

/** Read every minute; this allows for some reads that fail. */
const TRENDING_FRESH_MS = 5 * MINUTE_MS

export const trendingPools = defineEndpoint({
  id: 'token.trending',
  method: 'GET',
  path: '/trending',
  access: paid(usd('0.005')),
  summary: 'Ten trending pools on Base, scored and marked where they look like scams',
  description:
    'What trades most on Base, one pool for each token, by a score of ours from volume, its acceleration, number of traders, liquidity and share of buyers, each with its value, weight and points. What looks like a scam is marked with what is left of its score: honeypots, imitations, drained pools, volume that is churned. Anybody can compute the score again. Read anew every minute; older than five minutes is 503 and not charged.',
  title: () => 'Ten trending pools on Base',
  brings:
    'The ten most lively pools on Base, scored, with a mark on those that look like scams and the reason.',
  params: z.object({}),
  sample: {},
  response: TrendingFields,
  tool: 'get_trending',
  freshForMs: TRENDING_FRESH_MS,
  changes: ({ trending }: TokenServices) => {
    const { status, asOfMs, value } = trending.list()
    return [status, asOfMs, ...(value?.risks.map((risk) => risk.status) ?? [])]
  },
  handle: ({ trending, sourceOf }: TokenServices) => {
    const list = trending.list()
    if (list.status === 'missing')
      throw new ServiceError('upstream_unavailable', `trending pools are not known: ${list.reason}`)
    return toTrending(list, sourceOf)
  },
})
