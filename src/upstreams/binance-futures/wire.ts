import { z } from 'zod'
import { coinRows, contractsOf, fieldOf } from '../perpetuals/coin-rows.ts'
import { amount, fundingRate, intervalHours, price } from '../perpetuals/fields.ts'
import { historyRows } from '../perpetuals/history-rows.ts'
import {
  findJson,
  frameOf,
  type Liquidation,
  type LiquidationFrame,
  NOTHING,
  refusedFor,
} from '../perpetuals/liquidation.ts'
import { maybeTime, wireTime } from '../wire/time.ts'

export const CONTRACTS = contractsOf((coin) => `${coin}USDT`)

/** One object or a list of them, as the address was asked with a symbol or without. */
const oneOrMany = <Out>(list: z.ZodType<Out, unknown[]>) =>
  z
    .unknown()
    .transform((json): unknown[] => (Array.isArray(json) ? json : [json]))
    .pipe(list)

export const PremiumIndexReply = oneOrMany(
  coinRows(
    z
      .object({ markPrice: price(), lastFundingRate: fundingRate(), nextFundingTime: maybeTime() })
      .transform((wire) => ({
        markPrice: wire.markPrice,
        fundingRate: wire.lastFundingRate,
        nextFundingMs: wire.nextFundingTime,
      })),
    'symbol',
    CONTRACTS,
  ),
)

/** In coins, one side. */
export const OpenInterestReply = oneOrMany(
  coinRows(
    z.object({ openInterest: amount() }).transform(({ openInterest }) => openInterest),
    'symbol',
    CONTRACTS,
  ),
)

/** The dollar volume of 24 hours. */
export const DayTickerReply = oneOrMany(
  coinRows(
    z.object({ quoteVolume: amount() }).transform(({ quoteVolume }) => quoteVolume),
    'symbol',
    CONTRACTS,
  ),
)

/** Lists only contracts whose terms were adjusted, so it may hold none of ours. */
export const FundingInfoReply = z.array(z.unknown()).transform((rows) => {
  const hours = new Map<string, number>()
  for (const row of rows) {
    const coin = CONTRACTS.get(fieldOf(row, 'symbol'))
    const parsed = intervalHours().safeParse(fieldOf(row, 'fundingIntervalHours'))
    if (coin && parsed.success) hours.set(coin, parsed.data)
  }
  return hours
})

export const FundingHistoryReply = historyRows(
  z
    .object({ fundingTime: wireTime(), fundingRate: fundingRate() })
    .transform((wire) => ({ atMs: wire.fundingTime, rate: wire.fundingRate })),
)

export const OpenInterestHistoryReply = historyRows(
  z
    .object({ timestamp: wireTime(), sumOpenInterest: amount() })
    .transform((wire) => ({ atMs: wire.timestamp, openInterest: wire.sumOpenInterest })),
)

const ForceOrder = z
  .object({
    S: z.enum(['BUY', 'SELL']),
    /** Average price and filled size: what was really closed. */
    ap: price(),
    z: amount(),
    T: wireTime(),
  })
  .transform((wire) => ({
    // The order's side: who is sold out was long.
    side: wire.S === 'SELL' ? ('long' as const) : ('short' as const),
    usd: wire.ap * wire.z,
    atMs: wire.T,
  }))

/** A frame of the force-order streams, bare or with the name of its stream. Other frames bring nothing. */
export function readBinanceFrame(text: string): LiquidationFrame {
  const json = findJson(text)
  if (fieldOf(json, 'code') !== undefined) return refusedFor(fieldOf(json, 'msg'))
  const event = fieldOf(json, 'data') ?? json
  if (fieldOf(event, 'e') !== 'forceOrder') return NOTHING
  return frameOf([toLiquidation(fieldOf(event, 'o'))])
}

function toLiquidation(order: unknown): Liquidation | undefined | null {
  const coin = CONTRACTS.get(fieldOf(order, 's'))
  if (!coin) return undefined
  const parsed = ForceOrder.safeParse(order)
  return parsed.success ? { coin, ...parsed.data } : null
}
