import { z } from 'zod'
import type { Coin } from '../../core/coin.ts'
import { HOUR_MS } from '../../core/time/time.ts'
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

export const CONTRACTS = contractsOf((coin) => `${coin}-USDT-SWAP`)
export const CHANNEL = 'liquidation-orders'

/** The venue answers 200 to what it refuses, and says so in `code`. */
const dataOf = <Out>(data: z.ZodType<Out>) =>
  z.object({ code: z.literal(['0', 0]), data }).transform((reply): Out => reply.data)

/** `fundingTime` is the coming settlement, `nextFundingTime` the one after it: between them lies an interval. */
const Funding = z
  .object({ fundingRate: fundingRate(), fundingTime: maybeTime(), nextFundingTime: orUnknown(maybeTime()) })
  .transform((wire) => ({
    fundingRate: wire.fundingRate,
    intervalHours: findHours(wire.fundingTime, wire.nextFundingTime) ?? DEFAULT_INTERVAL_HOURS,
    nextFundingMs: wire.fundingTime,
  }))
export const FundingReply = dataOf(coinRows(Funding, 'instId', CONTRACTS))

function findHours(fromMs: number | undefined, toMs: number | undefined): number | undefined {
  if (fromMs === undefined || toMs === undefined) return undefined
  const parsed = intervalHours().safeParse(Math.round((toMs - fromMs) / HOUR_MS))
  return parsed.success ? parsed.data : undefined
}

/** `oi` counts contracts and `oiCcy` coins, so that both together say what a contract holds. */
const OpenInterest = z
  .object({ oi: orUnknown(amount()), oiCcy: amount(), oiUsd: orUnknown(amount()) })
  .transform((wire) => ({
    openInterest: wire.oiCcy,
    openInterestUsd: wire.oiUsd,
    contractCoins: wire.oi !== undefined && wire.oi > 0 && wire.oiCcy > 0 ? wire.oiCcy / wire.oi : undefined,
  }))
export const OpenInterestReply = dataOf(coinRows(OpenInterest, 'instId', CONTRACTS))

export const MarkPriceReply = dataOf(
  coinRows(
    z.object({ markPx: price() }).transform(({ markPx }) => markPx),
    'instId',
    CONTRACTS,
  ),
)

/** The volume of 24 hours in coins: the venue does not tell it in dollars. */
export const TickersReply = dataOf(
  coinRows(
    z.object({ volCcy24h: amount() }).transform(({ volCcy24h }) => volCcy24h),
    'instId',
    CONTRACTS,
  ),
)

export const FundingHistoryReply = dataOf(
  historyRows(
    z
      .object({ fundingTime: wireTime(), realizedRate: orUnknown(fundingRate()), fundingRate: fundingRate() })
      .transform((wire) => ({ atMs: wire.fundingTime, rate: wire.realizedRate ?? wire.fundingRate })),
  ),
)

/** Rows are lists: time, contracts, coins, dollars. */
export const OpenInterestHistoryReply = dataOf(
  historyRows(
    z
      .tuple([wireTime(), z.unknown(), amount()], z.unknown())
      .transform(([atMs, , openInterest]) => ({ atMs, openInterest })),
  ),
)

/** What a contract of the coin holds in coins; undefined while that is not known. */
export type ContractCoins = (coin: Coin) => number | undefined

const Detail = z
  .object({
    side: z.enum(['buy', 'sell']),
    posSide: z.enum(['long', 'short', 'net']).catch('net'),
    bkPx: price(),
    sz: amount(),
    ts: wireTime(),
  })
  .transform(({ side, posSide, bkPx, sz, ts }) => ({
    // A net position is told by the order that closes it.
    side: posSide === 'net' ? (side === 'sell' ? ('long' as const) : ('short' as const)) : posSide,
    contractsUsd: bkPx * sz,
    atMs: ts,
  }))

/** A frame of the channel `liquidation-orders`. Answers to pings and subscriptions bring nothing. */
export function readOkxFrame(text: string, contractCoins: ContractCoins): LiquidationFrame {
  const json = findJson(text)
  if (fieldOf(json, 'event') === 'error') return refusedFor(fieldOf(json, 'msg'))
  const rows = fieldOf(json, 'data')
  if (fieldOf(fieldOf(json, 'arg'), 'channel') !== CHANNEL || !Array.isArray(rows)) return NOTHING
  const details = rows.slice(0, MAX_FRAME_ROWS).flatMap((row) => {
    const coin = CONTRACTS.get(fieldOf(row, 'instId'))
    const list = fieldOf(row, 'details')
    if (!coin) return []
    return Array.isArray(list) ? list.map((detail) => ({ coin, detail })) : [{ coin, detail: undefined }]
  })
  return frameOf(details.slice(0, MAX_FRAME_ROWS).map((each) => toLiquidation(each, contractCoins)))
}

function toLiquidation(
  { coin, detail }: { coin: Coin; detail: unknown },
  contractCoins: ContractCoins,
): Liquidation | null {
  const parsed = Detail.safeParse(detail)
  const coins = contractCoins(coin)
  if (!parsed.success || coins === undefined) return null
  const { side, contractsUsd, atMs } = parsed.data
  return { coin, side, usd: contractsUsd * coins, atMs }
}
