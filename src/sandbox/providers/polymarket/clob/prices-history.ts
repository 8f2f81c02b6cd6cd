import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../core/time/time.ts'
import type { PredictionVenue } from '../../../prediction/venue.ts'
import { json, ok, type Reply, wholeNumber } from '../../reply.ts'
import { pastPrices } from '../price-history.ts'

const SPANS_MS: Readonly<Record<string, number>> = {
  '1m': 30 * DAY_MS,
  '1w': 7 * DAY_MS,
  '1d': DAY_MS,
  '6h': 6 * HOUR_MS,
  '1h': HOUR_MS,
  max: Number.POSITIVE_INFINITY,
  all: Number.POSITIVE_INFINITY,
}
const bad = (error: string) => json(400, { error })

/** Mids of one token: of an interval that ends now, or between two times; one point for every `fidelity` minutes. */
export function readPricesHistory(query: URLSearchParams, venue: PredictionVenue): Reply {
  const tokenId = query.get('market')
  if (!tokenId) return bad('market is required')
  const interval = query.get('interval')
  const startS = wholeNumber(query, 'startTs', 0)
  const endS = wholeNumber(query, 'endTs', Number.POSITIVE_INFINITY)
  const fidelity = wholeNumber(query, 'fidelity', 1)
  if (startS === undefined || endS === undefined || !fidelity) return bad('invalid filters')
  if (interval !== null && !Object.hasOwn(SPANS_MS, interval)) return bad('invalid interval')
  if (interval === null && !query.has('startTs') && !query.has('endTs'))
    return bad('interval or startTs/endTs are required: invalid filters')
  const fromMs = interval === null ? startS * 1000 : venue.nowMs() - (SPANS_MS[interval] ?? 0)
  const points = pastPrices(venue, tokenId, { fromMs, toMs: endS * 1000, stepMs: fidelity * MINUTE_MS })
  return ok({ history: points.map(({ atMs, price }) => ({ t: Math.floor(atMs / 1000), p: price })) })
}
