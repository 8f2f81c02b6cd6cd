import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { ProviderServer } from '../provider-server.ts'
import { readOnly } from '../reply.ts'
import { createTopics } from '../topics.ts'
import { createBinanceFuturesRest } from './futures-rest.ts'
import { createBinanceRest } from './rest.ts'
import { acceptBinance } from './socket.ts'
import { publishBinance } from './streams.ts'

const SPOT = '/api/v3/'
const FUTURES = '/fapi/v1/'

export function createBinance(market: SimulatedMarket): ProviderServer {
  const topics = createTopics()
  const spot = createBinanceRest(market)
  const futures = createBinanceFuturesRest(market)
  return {
    rest: readOnly((path, query) => {
      if (path.startsWith(SPOT)) return spot(path.slice(SPOT.length), query)
      if (path.startsWith(FUTURES)) return futures(path.slice(FUTURES.length), query)
      return undefined
    }),
    socketAt: (path) =>
      SOCKET_PATH.test(path) ? (peer, url) => acceptBinance(peer, url, path, topics) : undefined,
    pingEveryMs: 20_000,
    close: publishBinance(market, topics),
  }
}

// Spot at `/ws` and `/stream`; futures at the same below `/public` or `/market`.
const SOCKET_PATH = /^(\/(public|market))?\/(ws|stream)(\/|$)/
