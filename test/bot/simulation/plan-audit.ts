import type { TradingConfig } from '../../../src/bot/trading-config.ts'
import { MINUTE_MS, SECOND_MS } from '../../../src/core/time/time.ts'
import type { BrokerName, OrderRow, PlannedOrder, TradeRow } from '../../../src/ledger/ports/bot-book.ts'
import type { Signal } from '../../../src/signals/signal.ts'
import type { Timeline } from '../../simulation/timeline.ts'
import type { SimDisk } from './disk.ts'
import type { SimMarkets } from './markets.ts'
import type { Weather } from './storm.ts'
import type { Violation } from './violation.ts'

type World = {
  timeline: Timeline
  weather: Weather
  markets: SimMarkets
  disk: SimDisk
  config: TradingConfig
  broker: BrokerName
  /** As it was shown at a moment, by the true clock. */
  signalAt(coin: PlannedOrder['coin'], atMs: number): Signal | undefined
}

/** From what a look saw until its order is planned. */
const LOOK_MS = SECOND_MS
const CLOCK_ERROR_MS = 300
const WRONG_BY_MS = 5_000
const MIN_EDGE = 0.01
const FEE_RATE = 0.07

/** Asks about every order, at the moment it is planned, what the rules promise: from the true state of the world. */
export function auditPlan(world: World, order: PlannedOrder): Violation[] {
  const isBoss = isForced(world, order)
  const isRound = order.origin !== 'operator'
  const found = [
    ...dataFaults(world, order, isRound && !isBoss),
    ...moneyFaults(world, order),
    ...(isRound ? onceFaults(world, order) : []),
    ...(isRound && !isBoss ? edgeFaults(world, order) : []),
  ]
  return found.map((rule) => ({ rule, subject: `${order.clientOrderId} at ${world.timeline.now()}` }))
}

/** By the operator, who chose this side for this window: every attempt of it. */
const isForced = ({ disk }: World, { coin, windowStartS, outcome }: PlannedOrder): boolean =>
  disk.bot.bossSignals.findLast((row) => row.coin === coin && row.windowStartS === windowStartS)
    ?.direction === outcome

function dataFaults(
  { timeline, weather, markets }: World,
  order: PlannedOrder,
  isBySignal: boolean,
): string[] {
  const nowMs = timeline.now()
  const intoMinute = nowMs % MINUTE_MS
  const market = markets.of(order.coin, order.windowStartS)
  const isWrong = weather.is('clockWrong', nowMs) || weather.is('clockWrong', nowMs - MINUTE_MS)
  const slackMs = LOOK_MS + CLOCK_ERROR_MS + (isWrong ? WRONG_BY_MS : 0)
  const sinceMs = nowMs - order.windowStartS * 1000
  const isSpot = market.market.resolution.kind !== 'twap_60s'
  return [
    ...(order.side === 'BUY' &&
    (sinceMs < 10 * SECOND_MS - slackMs || nowMs > market.endMs - 20 * SECOND_MS + slackMs)
      ? ['an order outside of its hours']
      : []),
    ...(weather.is('booksStale', nowMs) && intoMinute > 2 * SECOND_MS + 2 * LOOK_MS + slackMs
      ? ['an order on a stale book']
      : []),
    ...(weather.is('booksGone', nowMs) && intoMinute > LOOK_MS ? ['an order without a book'] : []),
    ...(isBySignal && weather.is('signalStale', nowMs) && intoMinute > LOOK_MS
      ? ['an order on a stale signal']
      : []),
    ...(market.trap !== undefined && (isBySignal || !isSpot) ? [`an order in a market: ${market.trap}`] : []),
  ]
}

function moneyFaults({ disk, config, broker }: World, order: PlannedOrder): string[] {
  if (order.side !== 'BUY') return []
  const day = dayOf(order.windowStartS)
  const isToday = (row: { windowStartS: number; broker: BrokerName }) =>
    row.broker === broker && dayOf(row.windowStartS) === day
  const orders = [...disk.bot.orders.values()].filter((row) => isToday(row) && row.side === 'BUY')
  const settled = new Set(disk.bot.trades.filter(isToday).map(({ conditionId }) => conditionId))
  const profitE6 = disk.bot.trades.filter(isToday).reduce((sum, { profitE6: each }) => sum + each, 0n)
  const open = [...disk.bot.orders.values()].filter((row) => isToday(row) && !settled.has(row.conditionId))
  const atRiskE6 = [...Map.groupBy(open, ({ conditionId }) => conditionId).values()]
    .map(worstLossE6)
    .reduce((sum, each) => sum + each, 0n)
  const resetSeq = disk.bot.breaker.findLast(({ kind }) => kind === 'reset')?.seq ?? 0
  return [
    ...(order.broker !== broker ? ['an order of another broker'] : []),
    ...(disk.bot.breaker.at(-1)?.kind === 'opened' ? ['an order while the breaker is open'] : []),
    ...(atRiskE6 - profitE6 >= config.dailyLossLimitUsd ? ['an order beyond the daily loss limit'] : []),
    ...(orders.filter((row) => row.state === 'open' || takenE6(row) > 0n).length >= config.maxTradesPerDay
      ? ['an order beyond the trades of a day']
      : []),
    ...(losingRun(disk.bot.trades, broker, resetSeq) >= config.maxConsecutiveLosses
      ? ['an order after too many losses']
      : []),
    ...((order.spendE6 ?? 0n) > 5_000_000n || (order.spendE6 ?? 0n) < 1_000_000n
      ? ['an order of more than 5 USD or less than 1']
      : []),
  ]
}

function onceFaults({ disk, config }: World, order: PlannedOrder): string[] {
  const others = [...disk.bot.orders.values()].filter(
    (row) =>
      row.coin === order.coin &&
      row.windowStartS === order.windowStartS &&
      row.clientOrderId !== order.clientOrderId,
  )
  return [
    ...(others.some((row) => row.state === 'open') ? ['a second order while one is open'] : []),
    ...(others.some((row) => takenE6(row) > 0n) ? ['a second order after one that took something'] : []),
    ...((order.spendE6 ?? 0n) > config.sizeUsd ? ['an order above its size'] : []),
  ]
}

/** Signals change with every step: an order is right where one of the last moments allows it. */
function edgeFaults({ timeline, signalAt, config, markets }: World, order: PlannedOrder): string[] {
  const { coin, windowStartS, outcome, priceE4 } = order
  const signals = [0, LOOK_MS, 2 * LOOK_MS]
    .map((agoMs) => signalAt(coin, timeline.now() - agoMs))
    .filter((signal) => signal?.windowStartS === windowStartS)
  const price = priceE4 / 1e4
  const isFree = markets.of(coin, windowStartS).market.fee === undefined
  const cost = price + (isFree ? 0 : FEE_RATE * price * (1 - price)) + MIN_EDGE
  const probability = (signal: Signal | undefined) =>
    signal === undefined ? 0 : outcome === 'UP' ? signal.probabilityUp : 1 - signal.probabilityUp
  const allowing = (test: (signal: Signal) => boolean) => signals.some((signal) => signal && test(signal))
  return [
    ...(allowing((signal) => probability(signal) >= cost - 1e-6) ? [] : ['an order without an edge']),
    ...(allowing((signal) => signal.direction === outcome) ? [] : ['an order against the signal']),
    ...(allowing((signal) => !signal.abstain) ? [] : ['an order of a signal that abstains']),
    ...(allowing((signal) => signal.confidence >= config.minConfidence)
      ? []
      : ['an order below the confidence']),
  ]
}

const dayOf = (windowStartS: number) => Math.floor(windowStartS / 86_400)

/** What was paid with fees, or received without them. */
const takenE6 = ({ side, fills }: OrderRow): bigint =>
  fills
    .filter(({ state }) => state !== 'failed')
    .reduce((sum, { notionalE6, feeE6 }) => sum + notionalE6 + (side === 'BUY' ? feeE6 : -feeE6), 0n)

const outlayE6 = (row: OrderRow): bigint => {
  if (row.side === 'SELL') return -takenE6(row)
  // It is named before it is sent: one without a name was never sent, because the ledger failed.
  if (row.state === 'open') return row.orderId === undefined ? 0n : (row.spendE6 ?? 0n) + row.maxFeeE6
  return takenE6(row)
}

/** Of a market in which both sides were bought, one of them pays. */
function worstLossE6(rows: readonly OrderRow[]): bigint {
  const held = { UP: 0n, DOWN: 0n }
  for (const { outcome, side, fills } of rows)
    for (const { state, sharesE6 } of fills)
      if (state !== 'failed') held[outcome] += side === 'BUY' ? sharesE6 : -sharesE6
  const [sureE6 = 0n] = Object.values(held).sort((a, b) => (a < b ? -1 : 1))
  const lossE6 = rows.reduce((sum, row) => sum + outlayE6(row), 0n) - sureE6
  return lossE6 > 0n ? lossE6 : 0n
}

/** Window by window; in one that has both, the losses come after the wins. */
function losingRun(trades: readonly TradeRow[], broker: BrokerName, resetSeq: number): number {
  const profits = trades
    .filter((row) => row.broker === broker && row.breakerSeq >= resetSeq)
    .sort(
      (a, b) => a.windowStartS - b.windowStartS || Number((b.roundProfitE6 ?? 0n) - (a.roundProfitE6 ?? 0n)),
    )
    .flatMap(({ roundProfitE6 }) => (roundProfitE6 === undefined ? [] : roundProfitE6))
  let run = 0
  for (const profitE6 of profits) run = profitE6 > 0n ? 0 : run + 1
  return run
}
