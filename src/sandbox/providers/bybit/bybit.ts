import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { ProviderServer } from '../provider-server.ts'
import { readOnly } from '../reply.ts'
import { createTopics } from '../topics.ts'
import { createBybitRest } from './rest.ts'
import { acceptBybit } from './socket.ts'

/** Bybit's linear perpetuals. */
export function createBybit(market: SimulatedMarket): ProviderServer {
  const topics = createTopics()
  const stop = market.onLiquidation((forced) => {
    const told = market.perpetualVenues.liquidations('bybit', forced)
    if (told.length === 0) return
    const symbol = `${forced.coin}USDT`
    const topic = `allLiquidation.${symbol}`
    topics.publish(topic, () =>
      JSON.stringify({
        topic,
        type: 'snapshot',
        ts: forced.atMs + 300,
        data: told.map(({ side, size, price }) => ({
          T: forced.atMs,
          s: symbol,
          // The side of the position, not of the order that closes it.
          S: side === 'sell' ? 'Buy' : 'Sell',
          v: size.toFixed(3),
          p: price.toFixed(market.instrument('binance', forced.coin).priceDecimals),
        })),
      }),
    )
  })
  return {
    rest: readOnly(createBybitRest(market)),
    socketAt: (path) => (path === '/v5/public/linear' ? (peer) => acceptBybit(peer, topics) : undefined),
    close: stop,
  }
}
