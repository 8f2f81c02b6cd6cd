import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { PredictionVenue } from '../../prediction/venue.ts'
import type { Peer } from '../peers.ts'
import type { ProviderServer } from '../provider-server.ts'
import { json, readOnly } from '../reply.ts'
import { createLastSides } from './clob/last-sides.ts'
import { createClobRest } from './clob/rest.ts'
import { refuseTrading } from './clob/trading-mode.ts'
import { createGammaRest } from './gamma/rest.ts'
import { createMarketChannel } from './socket/market-channel.ts'
import { createMarketSession, type MarketSession } from './socket/market-socket.ts'
import { createWebRest, type Place } from './web/rest.ts'

export type PolymarketServers = Record<
  'gamma' | 'clob' | 'poly_data' | 'poly_web' | 'relayer',
  ProviderServer
>

/** Servers that need a chain. They come later than the others, or never. */
export type AccountServers = {
  /** Orders, keys and balances, and the user channel: below the same address as the public order book. */
  clob: Pick<ProviderServer, 'rest' | 'socketAt'>
  poly_data: Pick<ProviderServer, 'rest'>
  relayer: Pick<ProviderServer, 'rest'>
}

type Input = {
  market: SimulatedMarket
  venue: PredictionVenue
  place: () => Place
  accounts: () => Partial<AccountServers>
}

const NO_TRADING = json(503, { error: 'trading is disabled' })
const UNAVAILABLE: Pick<ProviderServer, 'rest'> = { rest: () => json(503, { error: 'service unavailable' }) }
const none = () => undefined

/** Polymarket's services, one server for each of its hosts. */
export function createPolymarket({ market, venue, place, accounts }: Input): PolymarketServers {
  const channel = createMarketChannel(venue)
  const sessions = new Set<MarketSession>()
  const acceptMarket = (peer: Peer) => {
    const session = createMarketSession(peer, channel, venue.nowMs)
    sessions.add(session)
    peer.onGone(() => sessions.delete(session))
  }
  const stop = market.onOracle(({ publishedMs }) => {
    for (const session of sessions) session.check(publishedMs)
  })
  const sides = createLastSides(venue)
  const readClob = createClobRest(venue, sides)
  const still = { socketAt: none, close() {} }
  return {
    gamma: { rest: readOnly(createGammaRest({ venue, oracle: market.oracle })), ...still },
    clob: {
      rest(request) {
        const { clob } = accounts()
        const refused = refuseTrading(venue.mode(), request.method, request.path)
        return refused ?? readClob(request) ?? (clob ? clob.rest(request) : withoutAccounts(request.path))
      },
      socketAt: (path) => (path === '/ws/market' ? acceptMarket : accounts().clob?.socketAt(path)),
      close() {
        stop()
        channel.close()
        sides.close()
      },
    },
    poly_data: { rest: (request) => (accounts().poly_data ?? UNAVAILABLE).rest(request), ...still },
    poly_web: { rest: readOnly(createWebRest(market, place)), ...still },
    relayer: { rest: (request) => (accounts().relayer ?? UNAVAILABLE).rest(request), ...still },
  }
}

/** Where there is no chain nobody has an account. */
function withoutAccounts(path: string) {
  const isKnown = /^\/(auth|order|orders|data|balance-allowance|cancel-all|cancel-market-orders)(\/|$)/.test(
    path,
  )
  return isKnown ? NO_TRADING : undefined
}
