import { z } from 'zod'
import { maybeList, wireList } from '../../wire-list.ts'
import { maybeFlag, maybeNumber, wireFlag } from '../../wire-number.ts'
import { maybeTime } from '../../wire-time.ts'
import {
  conditionId,
  maybeId,
  maybePrice,
  maybeShares,
  maybeTickSize,
  maybeVolumeUsd,
  priceChange,
  slug,
  title,
  tokenId,
} from '../venue-fields.ts'

const MAX_OUTCOMES = 100

/** Gamma writes ids as text, some clients of it as numbers. */
export const rowId = () =>
  z.union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative()], 'expected an id').transform(String)

const FeeSchedule = z.object({
  rate: maybeNumber({ min: 0, max: 1 }),
  exponent: maybeNumber({ min: 0, max: 10 }),
  takerOnly: maybeFlag(),
})

const CryptoMarketConfig = z.object({
  asset: maybeId(),
  duration: maybeId(),
  twapEnabled: maybeFlag(),
  twapLookbackSeconds: maybeNumber({ min: 0, max: 86_400 }),
})

/** A market as Gamma lists it, alone or within its event. */
export const GammaMarket = z
  .object({
    id: rowId(),
    slug: slug(),
    question: title(),
    conditionId: conditionId(),
    outcomes: wireList(title(), MAX_OUTCOMES),
    clobTokenIds: maybeList(tokenId(), MAX_OUTCOMES),
    outcomePrices: maybeList(maybePrice(), MAX_OUTCOMES),
    active: wireFlag(),
    closed: wireFlag(),
    acceptingOrders: maybeFlag(),
    endDate: maybeTime(),
    // When the row was made: a day before a five-minute window opens, so it is no start. Nothing hangs on it but its age.
    startDate: maybeTime().catch(undefined),
    eventStartTime: maybeTime(),
    gameStartTime: maybeTime(),
    updatedAt: maybeTime(),
    volume24hr: maybeVolumeUsd(),
    volume1wk: maybeVolumeUsd(),
    volumeNum: maybeVolumeUsd(),
    volume: maybeVolumeUsd(),
    liquidityNum: maybeVolumeUsd(),
    liquidity: maybeVolumeUsd(),
    bestBid: maybePrice(),
    bestAsk: maybePrice(),
    lastTradePrice: maybePrice(),
    oneHourPriceChange: priceChange(),
    oneDayPriceChange: priceChange(),
    oneWeekPriceChange: priceChange(),
    orderPriceMinTickSize: maybeTickSize(),
    orderMinSize: maybeShares(),
    feesEnabled: maybeFlag(),
    feeSchedule: FeeSchedule.nullish(),
    negRisk: maybeFlag(),
    resolutionSource: title().nullish(),
    cryptoMarketConfig: CryptoMarketConfig.nullish(),
    umaResolutionStatus: maybeId(),
    version: maybeId(),
  })
  .transform(({ outcomes, clobTokenIds, outcomePrices, ...market }, { issues }) => {
    for (const list of [clobTokenIds, outcomePrices])
      if (list && list.length !== outcomes.length)
        issues.push({ code: 'custom', message: 'outcomes, tokens and prices differ in number', input: list })
    return {
      ...market,
      outcomes: outcomes.map((label, index) => ({
        label,
        tokenId: clobTokenIds?.[index],
        price: outcomePrices?.[index],
      })),
    }
  })

export type GammaMarket = z.output<typeof GammaMarket>
