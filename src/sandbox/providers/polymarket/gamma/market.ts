import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../../core/time/time.ts'
import type { PredictionVenue, VenueBook, VenueMarket } from '../../../prediction/venue.ts'
import { feeFields, LEGACY_BASE_FEE } from '../fees.ts'
import { midOf, toAmount, toPrice } from '../number-text.ts'
import { changeOver } from '../price-history.ts'
import { databaseText, dayText, microText, secondText } from '../wire-time.ts'
import { describeEvent, hexId } from './describe.ts'
import { liquidityOf } from './liquidity.ts'
import { type Volumes, volumesOf } from './volumes.ts'

/** A market as Gamma lists it. */
export function toGammaMarket(market: VenueMarket, venue: PredictionVenue) {
  const book = venue.book(market.tokenIds[0])
  const { description, resolutionSource } = describeEvent(market)
  const rowMs = rowCreatedMs(market)
  const closedMs = market.state === 'resolved' ? market.resolvedMs : undefined
  const volumes = volumesOf(market)
  return {
    id: market.id,
    question: market.question,
    conditionId: market.conditionId,
    slug: market.slug,
    resolutionSource,
    endDate: secondText(market.endsMs),
    ...(book && liquidityFields(liquidityOf(book))),
    startDate: microText(rowMs),
    ...(market.series ? {} : { image: '', icon: '' }),
    description,
    outcomes: listText(market.outcomes),
    outcomePrices: listText(outcomePrices(market, book)),
    volume: String(volumes.volume),
    active: true,
    closed: closedMs !== undefined,
    marketMakerAddress: '',
    createdAt: microText(rowMs - 108 * SECOND_MS),
    updatedAt: microText(venue.nowMs()),
    ...(closedMs !== undefined && { closedTime: databaseText(closedMs) }),
    new: false,
    featured: false,
    archived: false,
    restricted: true,
    groupItemThreshold: '0',
    questionID: hexId(`question ${market.conditionId}`),
    ...(closedMs !== undefined && { umaEndDate: secondText(closedMs) }),
    enableOrderBook: true,
    orderPriceMinTickSize: toPrice(market.tickE4),
    orderMinSize: toAmount(market.minShares),
    ...resolutionStatus(market),
    volumeNum: volumes.volume,
    endDateIso: dayText(market.endsMs),
    startDateIso: dayText(rowMs),
    hasReviewedDates: true,
    clobTokenIds: listText(market.tokenIds),
    comboStatus: 'disabled',
    ...volumeFields(volumes),
    makerBaseFee: LEGACY_BASE_FEE,
    takerBaseFee: LEGACY_BASE_FEE,
    acceptingOrders: market.acceptingOrders,
    ...CONSTANT_FLAGS,
    acceptingOrdersTimestamp: secondText(rowMs - 87 * SECOND_MS),
    ...quotes(market, book),
    ...changes(market, venue),
    umaResolutionStatuses: listText(market.state === 'disputed' ? ['proposed', 'disputed'] : []),
    ...seriesFields(market),
    ...feeFields(market),
    version: 'v1',
  }
}

/** The row of a window is made about a day before it opens. */
export function rowCreatedMs({ series, listedMs }: VenueMarket): number {
  return series ? series.windowStartS * 1000 - DAY_MS + 267 * SECOND_MS : listedMs
}

/** Lists are written as JSON inside a text, with a space after each comma. */
const listText = (list: readonly string[]) => `[${list.map((item) => JSON.stringify(item)).join(', ')}]`

const CONSTANT_FLAGS = {
  negRisk: false,
  ready: false,
  funded: false,
  cyom: false,
  pagerDutyNotificationEnabled: false,
  approved: true,
  rewardsMinSize: 50,
  rewardsMaxSpread: 4.5,
  automaticallyActive: true,
  automaticallyResolved: true,
  clearBookOnStart: false,
  showGmpSeries: false,
  showGmpOutcome: false,
  manualActivation: false,
  negRiskOther: false,
  pendingDeployment: false,
  deploying: false,
  rfqEnabled: false,
  holdingRewardsEnabled: false,
}

const liquidityFields = (liquidity: number) => ({
  liquidity: String(liquidity),
  liquidityNum: liquidity,
  liquidityClob: liquidity,
})

function volumeFields({ volume, volume24hr, volume1wk, volume1mo, volume1yr }: Volumes) {
  return {
    volume24hr,
    volume1wk,
    volume1mo,
    volume1yr,
    volume24hrClob: volume24hr,
    volume1wkClob: volume1wk,
    volume1moClob: volume1mo,
    volume1yrClob: volume1yr,
    volumeClob: volume,
  }
}

function outcomePrices(market: VenueMarket, book: VenueBook | undefined): readonly string[] {
  if (market.state === 'resolved') return market.winner === 1 ? ['0', '1'] : ['1', '0']
  const up = midOf(book?.bids[0], book?.asks[0]) ?? 0.5
  return [up, 1 - up].map((price) => String(Number(price.toFixed(5))))
}

/** A price that nobody quotes is not there. Those of a resolved market stay a tick away from its outcome. */
function quotes(market: VenueMarket, book: VenueBook | undefined) {
  const [bid, ask] =
    market.state === 'resolved' ? lastQuotes(market) : [book?.bids[0]?.[0], book?.asks[0]?.[0]]
  const mid = midOf(book?.bids[0], book?.asks[0])
  return {
    spread: toPrice((ask ?? 10_000) - (bid ?? 0)),
    ...(market.lastTradeE4 !== undefined && { lastTradePrice: toPrice(market.lastTradeE4) }),
    ...(bid !== undefined && { bestBid: toPrice(bid) }),
    ...(ask !== undefined && { bestAsk: toPrice(ask) }),
    // Nearer to one, the nearer the price is to a half.
    ...(mid !== undefined && { competitive: 1 / (1 + (mid - 0.5) ** 2) }),
  }
}

function lastQuotes({ winner, tickE4 }: VenueMarket) {
  return winner === 0 ? [10_000 - tickE4, undefined] : [undefined, tickE4]
}

function changes(market: VenueMarket, venue: PredictionVenue) {
  const over = (ms: number) => changeOver(venue, market, ms)
  const [hour, day, week] = [over(HOUR_MS), over(DAY_MS), over(7 * DAY_MS)]
  return {
    ...(day !== undefined && { oneDayPriceChange: day }),
    ...(hour !== undefined && { oneHourPriceChange: hour }),
    ...(week !== undefined && { oneWeekPriceChange: week }),
  }
}

function resolutionStatus({ state }: VenueMarket) {
  if (state === 'resolved') return { umaResolutionStatus: 'resolved' }
  return state === 'disputed' ? { umaResolutionStatus: 'disputed' } : {}
}

function seriesFields({ series }: VenueMarket) {
  if (!series) return {}
  const asset = series.coin.toLowerCase()
  const id = `${asset}-5m-twap-60`
  const rule = { id, asset, duration: '5m', twapEnabled: true, twapLookbackSeconds: 60 }
  const eventStartTime = secondText(series.windowStartS * 1000)
  return { eventStartTime, cryptoMarketConfigId: id, cryptoMarketConfig: rule }
}
