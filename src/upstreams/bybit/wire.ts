import { z } from 'zod'
import { coinRows, contractsOf, fieldOf } from '../perpetuals/coin-rows.ts'
import { amount, DEFAULT_INTERVAL_HOURS, fundingRate, intervalHours, price } from '../perpetuals/fields.ts'
import { historyRows } from '../perpetuals/history-rows.ts'
import {
  findJson,
  frameOf,
  type Liquidation,
  type LiquidationFrame,
  MAX_FRAME_ROWS,
  NOTHING,
  refusedFor,
} from '../perpetuals/liquidation.ts'
import { maybeTime, wireTime } from '../wire/time.ts'
import { orUnknown } from '../wire/unknown.ts'

export const CONTRACTS = contractsOf((coin) => `${coin}USDT`)
export const TOPIC = 'allLiquidation.'
/** Both sides are counted where the venue does not say that it is one. */
const SIDES = 2

/** The venue answers 200 to what it refuses, and says so in `retCode`. */
const listOf = <Out>(list: z.ZodType<Out>) =>
  z
    .object({ retCode: z.literal([0, '0']), result: z.object({ list }) })
    .transform(({ result }): Out => result.list)

const Ticker = z
  .object({
    markPrice: price(),
    fundingRate: fundingRate(),
    nextFundingTime: maybeTime(),
    fundingIntervalHour: orUnknown(intervalHours()),
    openInterest: amount(),
    singleOpenInterest: orUnknown(amount()),
    turnover24h: orUnknown(amount()),
  })
  .transform((wire) => {
    const openInterest = wire.singleOpenInterest ?? wire.openInterest / SIDES
    return {
      fundingRate: wire.fundingRate,
      intervalHours: wire.fundingIntervalHour ?? DEFAULT_INTERVAL_HOURS,
      nextFundingMs: wire.nextFundingTime,
      markPrice: wire.markPrice,
      openInterest,
      openInterestUsd: openInterest * wire.markPrice,
      volume24hUsd: wire.turnover24h,
    }
  })
export const TickersReply = listOf(coinRows(Ticker, 'symbol', CONTRACTS))

export const FundingHistoryReply = listOf(
  historyRows(
    z
      .object({ fundingRateTimestamp: wireTime(), fundingRate: fundingRate() })
      .transform((wire) => ({ atMs: wire.fundingRateTimestamp, rate: wire.fundingRate })),
  ),
)

export const OpenInterestHistoryReply = listOf(
  historyRows(
    z
      .object({ timestamp: wireTime(), openInterest: amount(), singleOpenInterest: orUnknown(amount()) })
      .transform((wire) => ({
        atMs: wire.timestamp,
        openInterest: wire.singleOpenInterest ?? wire.openInterest / SIDES,
      })),
  ),
)

const Row = z
  .object({ T: wireTime(), S: z.enum(['Buy', 'Sell']), v: amount(), p: price() })
  .transform((wire) => ({
    // The position's side, other than at the other venues: a bought position was long.
    side: wire.S === 'Buy' ? ('long' as const) : ('short' as const),
    usd: wire.v * wire.p,
    atMs: wire.T,
  }))

/** A frame of the topics `allLiquidation.<symbol>`. Answers to pings and subscriptions bring nothing. */
export function readBybitFrame(text: string): LiquidationFrame {
  const json = findJson(text)
  if (fieldOf(json, 'success') === false) return refusedFor(fieldOf(json, 'ret_msg'))
  const [topic, rows] = [fieldOf(json, 'topic'), fieldOf(json, 'data')]
  if (typeof topic !== 'string' || !topic.startsWith(TOPIC) || !Array.isArray(rows)) return NOTHING
  return frameOf(rows.slice(0, MAX_FRAME_ROWS).map(toLiquidation))
}

function toLiquidation(row: unknown): Liquidation | undefined | null {
  const coin = CONTRACTS.get(fieldOf(row, 's'))
  if (!coin) return undefined
  const parsed = Row.safeParse(row)
  return parsed.success ? { coin, ...parsed.data } : null
}
