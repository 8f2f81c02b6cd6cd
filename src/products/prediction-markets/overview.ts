import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { AGE_STEP_MS, ODDS_SOURCE } from './five-minute.ts'
import { BOOK_FRESH_MS, type Fault, lookAt, type OpenWindow, oldestMs, windowChanges } from './open-window.ts'
import { Opportunity, opportunitiesIn } from './opportunities.ts'
import { Positions, positionChanges, positionsOf } from './positions.ts'
import type { PredictionServices } from './services.ts'
import { shownTime } from './shown-number.ts'
import { ageOf, toCoinMarket } from './to-coin-market.ts'
import type { CoinMarket } from './window-fields.ts'

const Coverage = z.object({
  coins: z.array(
    z.object({
      coin: z.enum(COINS),
      covered: z.boolean(),
      book_age_ms: z.int().min(0).nullable(),
      probability_age_ms: z.int().min(0).nullable(),
      reason: z
        .string()
        .optional()
        .describe('Why the coin is not covered, or neither side of it has an edge'),
    }),
  ),
  listed_markets: z.int().min(0).nullable().describe('Markets in the list; null while there is none'),
  listed_as_of: z.iso.datetime().nullable(),
})

export const overview = defineEndpoint({
  id: 'predmkt.overview',
  method: 'GET',
  path: '/predmkt',
  access: paid(usd('0.01')),
  summary: 'Prediction-market positions, opportunities ranked by edge, and coverage',
  description:
    'Opportunities in the open five-minute markets of BTC, ETH, SOL and XRP: sides that cost less, fees included, than our probability says they are worth, largest edge first, with size, cost and expected value. Also what the operator’s own account holds, and what is covered, how old it is and what is missing. Books and probabilities are at most ten seconds old; without any coin it is 503 and not charged.',
  title: () => 'Opportunities in five-minute markets',
  brings:
    'Where the open five-minute markets cost less than we think they are worth, best first, with size and expected value.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp.describe('Of the oldest book or probability that is covered'),
    source: Source,
    opportunities: z.array(Opportunity),
    opportunities_note: z.string().optional().describe('Why there are none; there only while there are none'),
    ...Positions.shape,
    coverage: Coverage,
  }),
  freshForMs: BOOK_FRESH_MS,
  changes: (services: PredictionServices) => {
    const listed = services.list.last()
    return [
      Math.floor(services.clock.now() / AGE_STEP_MS),
      ...windowChanges(services, COINS),
      ...positionChanges(services),
      listed?.value,
      listed?.asOfMs,
    ]
  },
  handle: (services: PredictionServices) => {
    const nowMs = services.clock.now()
    const looks = COINS.map((coin) => lookAt(services, coin, nowMs))
    const windows = looks.filter((look) => 'book' in look)
    if (windows.length === 0) throw noneOf(looks.filter((look) => 'code' in look))
    const markets = windows.map((open) => toCoinMarket(services, open))
    const noEdges = new Map(markets.map((market) => [market.coin, whyNoEdgeIn(market)]))
    const opportunities = opportunitiesIn(markets)
    return {
      timestamp: isoTime(oldestMs(windows)),
      source: services.sourceOf(ODDS_SOURCE),
      opportunities,
      ...(opportunities.length === 0 && { opportunities_note: noteOf(noEdges) }),
      ...positionsOf(services),
      coverage: coverageOf(services, looks, noEdges),
    }
  },
})

function coverageOf(
  { list }: PredictionServices,
  looks: readonly (OpenWindow | Fault)[],
  noEdges: ReadonlyMap<string, string | undefined>,
): z.input<typeof Coverage> {
  const last = list.last()
  return {
    coins: looks.map((look) =>
      'code' in look
        ? {
            coin: look.coin,
            covered: false,
            book_age_ms: null,
            probability_age_ms: null,
            reason: look.reason,
          }
        : {
            coin: look.coin,
            covered: true,
            book_age_ms: ageOf(look.nowMs, look.book.asOfMs),
            probability_age_ms: ageOf(look.nowMs, look.signal.asOfMs),
            ...(noEdges.get(look.coin) !== undefined && { reason: noEdges.get(look.coin) }),
          },
    ),
    listed_markets: last?.value.length ?? null,
    listed_as_of: shownTime(last?.asOfMs),
  }
}

/** Undefined where one side at least has been compared with our probability. */
const whyNoEdgeIn = ({ up, down }: CoinMarket): string | undefined =>
  up.edge === null && down.edge === null ? (up.edge_reason ?? down.edge_reason) : undefined

/** What was not compared is not said to be too dear. */
function noteOf(noEdges: ReadonlyMap<string, string | undefined>): string {
  const unpriced = [...noEdges].flatMap(([coin, reason]) =>
    reason === undefined ? [] : `${coin}: ${reason}`,
  )
  if (unpriced.length === 0) return 'no side costs less than it is worth to us'
  const which =
    unpriced.length === noEdges.size
      ? 'nothing can be priced now'
      : 'of what can be priced, no side costs less than it is worth to us'
  return `${which} (${unpriced.join('; ')})`
}

function noneOf(faults: readonly Fault[]): ServiceError {
  const [first] = faults
  const isStale = faults.every(({ code }) => code === 'stale_data')
  return new ServiceError(
    isStale ? 'stale_data' : 'upstream_unavailable',
    `no five-minute market is covered: ${first?.reason}`,
    {
      hint: 'try again after Retry-After; nothing was charged',
      ...(first?.retryAfterS !== undefined && { retryAfterS: first.retryAfterS }),
    },
  )
}
