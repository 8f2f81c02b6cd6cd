import { COINS, type Coin } from '../../../core/coin.ts'
import { TWAP_S } from '../../market/oracle.ts'
import type { SimOracleTick } from '../../market/sim-events.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'

export const SPOT_CHANNEL = 'price.crypto'
export const TWAP_CHANNEL = 'price.crypto.twap'
/** A new subscriber first gets the last two minutes. */
const SNAPSHOT_S = 120

/** What one subscription asks for. */
export type PriceTopic = { channel: typeof SPOT_CHANNEL | typeof TWAP_CHANNEL; coin: Coin }

const symbolOf = (coin: Coin) => `${coin.toLowerCase()}usd`
export const topicName = ({ channel, coin }: PriceTopic) => `${channel}:${symbolOf(coin)}`

/** `undefined` for an unknown channel, coin or window. */
export function findPriceTopic(
  channel: unknown,
  filter: Readonly<Record<string, unknown>>,
): PriceTopic | undefined {
  const coin = COINS.find((each) => symbolOf(each) === filter.symbol)
  if (!coin) return undefined
  if (channel === SPOT_CHANNEL) return { channel, coin }
  if (channel === TWAP_CHANNEL && filter.window_seconds === TWAP_S) return { channel, coin }
  return undefined
}

const readingOf = ({ channel }: PriceTopic, tick: SimOracleTick) => {
  const value = channel === TWAP_CHANNEL ? tick.twap60Usd : tick.spotUsd
  return { full_accuracy_value: value.toFixed(8), timestamp: tick.atMs, value }
}
const subjectOf = ({ channel, coin }: PriceTopic) =>
  channel === TWAP_CHANNEL
    ? { symbol: symbolOf(coin), source: 'sandbox', window_seconds: TWAP_S }
    : { symbol: symbolOf(coin), source: 'sandbox' }

export function toUpdate(topic: PriceTopic, tick: SimOracleTick, seq: number) {
  const payload = { ...readingOf(topic, tick), ...subjectOf(topic) }
  return { v: 1, channel: topic.channel, seq, ts: tick.atMs, payload }
}

/** `lastSecond` is the newest second that has been published. */
export function toSnapshot(market: SimulatedMarket, topic: PriceTopic, lastSecond: number, seq: number) {
  const data = Array.from({ length: SNAPSHOT_S }, (_, i) =>
    readingOf(topic, market.oracle.at(topic.coin, lastSecond - SNAPSHOT_S + 1 + i)),
  )
  const payload = { data, ...subjectOf(topic) }
  return { v: 1, channel: topic.channel, seq, ts: lastSecond * 1000, snapshot: true, payload }
}
