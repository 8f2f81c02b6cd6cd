import { createDayStats } from '../../market/candles/day-stats.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { Topics } from '../topics.ts'
import { sequenceOf, timeText, toL2Update, toMatch, toTicker } from './format.ts'

export const topicOf = (channel: string, product: string) => `${channel}:${product}`

/** Turns the market's events into Coinbase's channels. The returned function stops it. */
export function publishCoinbase(market: SimulatedMarket, topics: Topics): () => void {
  const dayStats = createDayStats(market)
  const publish = (channel: string, product: string, makeMessage: () => unknown) =>
    topics.publish(topicOf(channel, product), () => JSON.stringify(makeMessage()))
  const stops = [
    market.onTrade((trade) => {
      if (trade.venue !== 'coinbase') return
      const instrument = market.instrument('coinbase', trade.coin)
      const sequence = sequenceOf(market, trade.coin)
      publish('matches', instrument.symbol, () => toMatch(instrument, trade, 'match', sequence))
      publish('ticker', instrument.symbol, () =>
        toTicker(market, trade, dayStats('coinbase', trade.coin), sequence),
      )
    }),
    market.onBookDiff((diff) => {
      if (diff.venue !== 'coinbase') return
      const instrument = market.instrument('coinbase', diff.coin)
      for (const channel of ['level2', 'level2_batch'])
        publish(channel, instrument.symbol, () => toL2Update(instrument, diff))
    }),
    market.onFunding(({ coin, atMs }) => {
      const { symbol } = market.instrument('coinbase', coin)
      publish('heartbeat', symbol, () => ({
        type: 'heartbeat',
        last_trade_id: market.trades('coinbase', coin).newest?.id ?? 0,
        product_id: symbol,
        sequence: sequenceOf(market, coin),
        time: timeText(atMs),
      }))
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
