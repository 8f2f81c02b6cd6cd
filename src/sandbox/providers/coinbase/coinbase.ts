import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { ProviderServer } from '../provider-server.ts'
import { readOnly } from '../reply.ts'
import { createTopics } from '../topics.ts'
import { createCoinbaseRest } from './rest.ts'
import { acceptCoinbase } from './socket.ts'
import { publishCoinbase } from './streams.ts'

/** Coinbase Exchange. Its WebSocket feed is at the root path. */
export function createCoinbase(market: SimulatedMarket): ProviderServer {
  const topics = createTopics()
  return {
    rest: readOnly(createCoinbaseRest(market)),
    socketAt: (path) => (path === '/' ? (peer) => acceptCoinbase(peer, market, topics) : undefined),
    close: publishCoinbase(market, topics),
  }
}
