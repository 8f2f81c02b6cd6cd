import { z } from 'zod'
import { maybeList, wireList } from '../../wire/list.ts'
import { maybeFlag, maybeNumber, wireFlag } from '../../wire/number.ts'
import { maybeTime } from '../../wire/time.ts'
import { orUnknown } from '../../wire/unknown.ts'
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
  words,
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
    question: words(),
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
    gameStartTime: orUnknown(maybeTime()),
    updatedAt: orUnknown(maybeTime()),
    volume24hr: orUnknown(maybeVolumeUsd()),
    volume1wk: orUnknown(maybeVolumeUsd()),
    volumeNum: orUnknown(maybeVolumeUsd()),
    volume: orUnknown(maybeVolumeUsd()),
    liquidityNum: orUnknown(maybeVolumeUsd()),
    liquidity: orUnknown(maybeVolumeUsd()),
    bestBid: orUnknown(maybePrice()),
    bestAsk: orUnknown(maybePrice()),
    lastTradePrice: orUnknown(maybePrice()),
    oneHourPriceChange: orUnknown(priceChange()),
    oneDayPriceChange: orUnknown(priceChange()),
    oneWeekPriceChange: orUnknown(priceChange()),
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
