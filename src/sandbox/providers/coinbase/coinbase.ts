import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { Service } from '../service.ts'
import { createTopics } from '../topics.ts'
import { createCoinbaseRest } from './rest.ts'
import { acceptCoinbase } from './socket.ts'
import { publishCoinbase } from './streams.ts'

/** Coinbase Exchange; its feed has no path of its own. */
export function createCoinbase(market: SimulatedMarket): Service {
  const topics = createTopics()
  return {
    name: 'coinbase',
    rest: createCoinbaseRest(market),
    socketAt: (path) => (path === '/' ? (peer) => acceptCoinbase(peer, market, topics) : undefined),
    close: publishCoinbase(market, topics),
  }
}
