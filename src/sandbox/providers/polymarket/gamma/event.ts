import { MINUTE_MS, SECOND_MS } from '../../../../core/time/time.ts'
import type { Oracle } from '../../../market/oracle.ts'
import type { PredictionVenue, VenueMarket } from '../../../prediction/venue.ts'
import { microText, secondText } from '../wire-time.ts'
import { describeEvent } from './describe.ts'
import { liquidityOf } from './liquidity.ts'
import { rowCreatedMs, toGammaMarket } from './market.ts'
import type { SeriesList } from './series.ts'
import { toTag } from './tags.ts'
import { volumesOf } from './volumes.ts'

export type EventSources = { venue: PredictionVenue; oracle: Oracle; series: SeriesList }
/** Prices of a window are told this long after its end. */
const PRICES_AFTER_MS = MINUTE_MS

/** The markets of one event, the first one first. */
export type EventMarkets = readonly [VenueMarket, ...VenueMarket[]]

export function toGammaEvent(markets: EventMarkets, sources: EventSources) {
  return {
    ...eventFields(markets, sources),
    markets: markets.map((market) => toGammaMarket(market, sources.venue)),
    tags: tagsOf(markets).map(toTag),
  }
}

/** An event without its markets and tags, as a market names it. */
export function eventFields(markets: EventMarkets, sources: EventSources) {
  const { venue } = sources
  const [first] = markets
  const { id, title, description, resolutionSource } = describeEvent(first)
  const rowMs = rowCreatedMs(first)
  const closedMs = closedAt(markets)
  const liquidity = sum(markets.map(({ tokenIds }) => liquidityOf(venue.book(tokenIds[0]))))
  const volumes = volumesOf({
    volumeE6: sum(markets.map(({ volumeE6 }) => volumeE6)),
    volume24hE6: sum(markets.map(({ volume24hE6 }) => volume24hE6)),
  })
  return {
    id,
    ticker: first.eventSlug,
    slug: first.eventSlug,
    title,
    description,
    resolutionSource,
    startDate: microText(rowMs),
    creationDate: microText(rowMs + 183 * SECOND_MS),
    endDate: secondText(Math.max(...markets.map(({ endsMs }) => endsMs))),
    ...(first.series ? {} : { image: '', icon: '' }),
    active: true,
    closed: closedMs !== undefined,
    archived: false,
    new: false,
    featured: false,
    restricted: true,
    ...(closedMs === undefined && { liquidity, liquidityClob: liquidity }),
    ...volumes,
    openInterest: 0,
    createdAt: microText(rowMs - 108 * SECOND_MS),
    updatedAt: microText(venue.nowMs()),
    enableOrderBook: true,
    negRisk: false,
    commentCount: 0,
    ...seriesFields(first, sources),
    cyom: false,
    ...(closedMs !== undefined && { closedTime: secondText(closedMs) }),
    showAllOutcomes: true,
    showMarketImages: true,
    automaticallyResolved: true,
    enableNegRisk: false,
    automaticallyActive: true,
    negRiskAugmented: false,
    pendingDeployment: false,
    deploying: false,
    version: 'v1',
  }
}

export const tagsOf = (markets: EventMarkets): readonly string[] => [
  ...new Set(markets.flatMap(({ tags }) => tags)),
]

/** An event is closed when the last of its markets is. */
function closedAt(markets: EventMarkets): number | undefined {
  if (markets.some(({ state }) => state !== 'resolved')) return undefined
  return Math.max(...markets.map(({ resolvedMs, endsMs }) => resolvedMs ?? endsMs))
}

function seriesFields({ series, endsMs }: VenueMarket, { venue, oracle, series: list }: EventSources) {
  if (!series) return { startTime: secondText(endsMs) }
  const { coin, windowStartS } = series
  const priceAt = (second: number) => oracle.at(coin, second).twap60Usd
  const own = list.of(coin)
  return {
    series: [own],
    startTime: secondText(windowStartS * 1000),
    seriesSlug: own.slug,
    ...(venue.nowMs() >= endsMs + PRICES_AFTER_MS && {
      eventMetadata: { finalPrice: priceAt(endsMs / 1000), priceToBeat: priceAt(windowStartS) },
    }),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
