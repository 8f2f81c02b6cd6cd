import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { Peer } from '../peers.ts'
import type { ProviderServer } from '../provider-server.ts'
import { type Credentials, createSession, type Session } from './socket.ts'

/** Polymarket's live prices: the oracle of the five-minute markets, once a second, for clients with a key. */
export function createPolybolt(market: SimulatedMarket, credentials: Credentials): ProviderServer {
  const sessions = new Set<Session>()
  const accept = (peer: Peer) => {
    const session = createSession(peer, market, credentials)
    sessions.add(session)
    peer.onGone(() => sessions.delete(session))
  }
  return {
    rest: () => undefined,
    socketAt: (path) => (path === '/ws' ? accept : undefined),
    pingEveryMs: 25_000,
    close: market.onOracle((tick) => {
      for (const session of sessions) session.tell(tick)
    }),
  }
}
