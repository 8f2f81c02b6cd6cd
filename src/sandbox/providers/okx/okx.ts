import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { ProviderServer } from '../provider-server.ts'
import { readOnly } from '../reply.ts'
import { createTopics } from '../topics.ts'
import { CONTRACT_COINS, createOkxRest } from './rest.ts'
import { acceptOkx, LIQUIDATIONS } from './socket.ts'

/** OKX's perpetual swaps. */
export function createOkx(market: SimulatedMarket): ProviderServer {
  const topics = createTopics()
  const stop = market.onLiquidation((forced) => {
    const told = market.perpetualVenues.liquidations('okx', forced)
    if (told.length === 0) return
    const { coin, atMs } = forced
    const family = `${coin}-USDT`
    topics.publish(LIQUIDATIONS, () =>
      JSON.stringify({
        arg: { channel: LIQUIDATIONS, instType: 'SWAP' },
        data: [
          {
            instId: `${family}-SWAP`,
            instType: 'SWAP',
            instFamily: family,
            uly: family,
            details: told.map(({ side, price, size }) => ({
              side,
              posSide: side === 'sell' ? 'long' : 'short',
              bkPx: price.toFixed(market.instrument('binance', coin).priceDecimals),
              sz: (size / CONTRACT_COINS[coin]).toFixed(2),
              bkLoss: '0',
              ccy: '',
              ts: String(atMs),
            })),
          },
        ],
      }),
    )
  })
  return {
    rest: readOnly(createOkxRest(market)),
    socketAt: (path) => (path === '/ws/v5/public' ? (peer) => acceptOkx(peer, topics) : undefined),
    close: stop,
  }
}
