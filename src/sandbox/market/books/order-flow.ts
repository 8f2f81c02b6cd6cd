import type { Draws } from '../../../core/math/random.ts'
import { COIN_MODELS, type Instrument, type SimVenue } from '../instrument.ts'
import type { Side, SimLevel } from '../sim-events.ts'

/** A taker order before it is matched. */
export type Order = { side: Side; lots: number; atMs: number }

const ORDER_NOTIONAL_USD = 800
const ORDER_SIZE_SD = 1.3
const LARGE_ORDER_CHANCE = 0.02
const LARGE_ORDER_FACTOR = 40
/** The mean of a log-normal size, large orders included. */
export const MEAN_ORDER_USD =
  ORDER_NOTIONAL_USD * Math.exp(ORDER_SIZE_SD ** 2 / 2) * (1 + LARGE_ORDER_CHANCE * (LARGE_ORDER_FACTOR - 1))
/** Orders relative to Binance. */
const VENUE_ACTIVITY: Readonly<Record<SimVenue, number>> = { binance: 1, coinbase: 0.4 }
const FLOW_TILT = 0.7

export function ordersPerSecond(
  instrument: Instrument,
  btcOrdersPerSecond: number,
  volRatio: number,
): number {
  const busy = Math.min(6, Math.max(0.25, volRatio))
  return btcOrdersPerSecond * COIN_MODELS[instrument.coin].activity * VENUE_ACTIVITY[instrument.venue] * busy
}

/** The probability that a taker buys. */
export function buyShare(flow: number): number {
  return 1 / (1 + Math.exp(-FLOW_TILT * flow))
}

/** The orders that arrive after `fromMs` and until `toMs`, oldest first. */
export function drawOrders(
  instrument: Instrument,
  { fromMs, toMs, perSecond, flow }: { fromMs: number; toMs: number; perSecond: number; flow: number },
  draws: Draws,
): readonly Order[] {
  const count = draws.poisson((perSecond * (toMs - fromMs)) / 1000)
  if (count === 0) return []
  const orders: Order[] = []
  const lotsPerUsd = 10 ** instrument.sizeDecimals / COIN_MODELS[instrument.coin].basePriceUsd
  const chance = buyShare(flow)
  for (let i = 0; i < count; i++) {
    const atMs = fromMs + 1 + draws.below(toMs - fromMs)
    const side: Side = draws.uniform() < chance ? 'buy' : 'sell'
    const large = draws.uniform() < LARGE_ORDER_CHANCE ? LARGE_ORDER_FACTOR : 1
    const notional = ORDER_NOTIONAL_USD * large * Math.exp(ORDER_SIZE_SD * draws.normal())
    orders.push({ side, lots: Math.max(1, Math.round(notional * lotsPerUsd)), atMs })
  }
  return orders.sort((a, b) => a.atMs - b.atMs)
}

export type Take = { ticks: number; lots: number }

/** Fills an order from one side of a book. The last level is never taken; what is left of the order is cancelled. */
export function takeFrom(
  levels: readonly SimLevel[],
  lots: number,
): { takes: readonly Take[]; rest: readonly SimLevel[] } {
  const takes: Take[] = []
  let open = lots
  let index = 0
  for (; index < levels.length - 1 && open > 0; index++) {
    const level = levels[index]
    if (!level) break
    const [ticks, resting] = level
    const taken = Math.min(resting, open)
    takes.push({ ticks, lots: taken })
    open -= taken
    if (taken < resting) return { takes, rest: [[ticks, resting - taken], ...levels.slice(index + 1)] }
  }
  return { takes, rest: levels.slice(index) }
}
