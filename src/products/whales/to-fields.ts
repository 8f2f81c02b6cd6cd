import type { z } from 'zod'
import type { Coin } from '../../core/coin.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { Part } from '../../intel/part.ts'
import type { EtfFlows } from '../../intel/whales/etf-flows.ts'
import type { TradeFlow, WatchedTrade } from '../../intel/whales/large-trades.ts'
import { toNetFlow } from '../../intel/whales/net-flow.ts'
import type { Chain, LargeTransfer } from '../../intel/whales/transfer.ts'
import type { TokenFlow } from '../../intel/whales/whale-watch.ts'
import type { LiquidationTotals } from '../../upstreams/coinlobster/wire.ts'
import type { Fees } from '../../upstreams/mempool/wire.ts'
import type { EtfCoin } from '../../upstreams/sosovalue/client.ts'
import { isoTime } from '../fields.ts'
import type {
  EtfFields,
  ExchangeFlowFields,
  FeeFields,
  LiquidationFields,
  NetFlowFields,
  TradeFields,
  TransferFields,
} from './fields.ts'

const cents = (usd: number): number => Math.round(usd * 100) / 100
const digits = (value: number, count: number): number => Number(value.toPrecision(count))
const minutes = (ms: number): number => Math.floor(ms / MINUTE_MS)
const isoDate = (ms: number): string => isoTime(ms).slice(0, 10)

export function toNetFlowFields(coin: Coin, flow: TradeFlow): z.input<typeof NetFlowFields> {
  const { netUsd, imbalance, zScore, lean } = toNetFlow(flow)
  return {
    coin,
    span_minutes: minutes(flow.spanMs),
    own_minutes: { binance: minutes(flow.ownMs.binance), coinbase: minutes(flow.ownMs.coinbase) },
    buy_usd: cents(flow.buyUsd),
    sell_usd: cents(flow.sellUsd),
    net_usd: cents(netUsd),
    trades: flow.trades,
    imbalance: imbalance === undefined ? null : digits(imbalance, 4),
    z_score: zScore === undefined ? null : digits(zScore, 4),
    lean: lean ?? null,
  }
}

export const toTradeFields = (trade: WatchedTrade): z.input<typeof TradeFields> => ({
  id: trade.id,
  coin: trade.coin,
  exchange: trade.exchange,
  market: trade.market,
  side: trade.side,
  price_usd: digits(trade.price, 12),
  value_usd: cents(trade.usd),
  at: isoTime(trade.atMs),
  reported_by: trade.reportedBy,
  delayed: trade.isDelayed,
})

export const toTransferFields = (transfer: LargeTransfer): z.input<typeof TransferFields> => ({
  hash: transfer.hash,
  chain: transfer.chain,
  token: transfer.token,
  amount: digits(transfer.amount, 12),
  value_usd: cents(transfer.usd),
  from: transfer.from ?? null,
  to: transfer.to ?? null,
  from_exchange: transfer.fromExchange ?? null,
  to_exchange: transfer.toExchange ?? null,
  kind: transfer.kind,
  confirmed: transfer.isConfirmed,
  at: isoTime(transfer.atMs),
})

export const toExchangeFlowFields = (
  chain: Chain,
  { token, span, inUsd, outUsd, transfers, coveredMs }: TokenFlow,
): z.input<typeof ExchangeFlowFields> => ({
  chain,
  token,
  span,
  in_usd: cents(inUsd),
  out_usd: cents(outUsd),
  net_usd: cents(inUsd - outUsd),
  transfers,
  covered_minutes: minutes(coveredMs),
  counted: chain === 'bitcoin' ? 'large' : 'all',
})

export function toEtfFields(coin: EtfCoin, part: Part<EtfFlows>, nowMs: number): z.input<typeof EtfFields>[] {
  if (part.status === 'missing') return []
  const { days, lastDayMs, net5dUsd, streak, weekdaysMissing } = part.value
  return [
    {
      coin,
      last_day: isoDate(lastDayMs),
      age_hours: Math.max(0, Math.floor((nowMs - part.asOfMs) / HOUR_MS)),
      weekdays_missing: weekdaysMissing,
      net_5d_usd: net5dUsd === undefined ? null : cents(net5dUsd),
      streak_days: streak,
      days: days.map(({ dayMs, netInflowUsd, tradedUsd, assetsUsd }) => ({
        date: isoDate(dayMs),
        net_inflow_usd: cents(netInflowUsd),
        traded_usd: tradedUsd === undefined ? null : cents(tradedUsd),
        assets_usd: assetsUsd === undefined ? null : cents(assetsUsd),
      })),
    },
  ]
}

export function toLiquidationFields(
  { value }: Part<LiquidationTotals>,
  wanted: readonly Coin[],
): z.input<typeof LiquidationFields> {
  if (value === undefined) return null
  const sums = (each: { longUsd: number; shortUsd: number; count: number }) => ({
    long_usd: cents(each.longUsd),
    short_usd: cents(each.shortUsd),
    count: Math.round(each.count),
  })
  const coins = value.coins.filter(({ coin }) => wanted.includes(coin))
  return { ...sums(value), coins: coins.map((each) => ({ coin: each.coin, ...sums(each) })) }
}

export const toFeeFields = ({ value }: Part<Fees>): z.input<typeof FeeFields> =>
  value === undefined
    ? null
    : {
        next_block: value.nextBlock,
        half_hour: value.halfHour,
        hour: value.hour,
        minimum: value.minimum ?? null,
      }
