import type { Log } from '../../../core/log.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { PolyData } from '../../../upstreams/polymarket/data/client.ts'
import type { RelayerClient } from '../../../upstreams/polymarket/relayer/client.ts'
import type { Trading } from '../../../upstreams/polymarket/trading/trading.ts'
import type { PolyWeb } from '../../../upstreams/polymarket/web/client.ts'
import type { Broker } from '../broker.ts'
import { createClockSkew } from '../clock-skew.ts'
import { createOrderFlights } from '../order-flights.ts'
import { asking } from '../venue-fault.ts'
import { findPaid } from './find-paid.ts'
import { findObstacles } from './obstacles.ts'
import { createPause } from './pause.ts'
import { createPlacing } from './placing.ts'
import { readHoldings } from './read-holdings.ts'
import { redeemShares } from './redeem-shares.ts'

export type PolymarketInput = {
  clock: Clock
  log: Pick<Log, 'warn'>
  trading: Trading
  relayer: Pick<RelayerClient, 'isDeployed' | 'redeem' | 'close'>
  web: Pick<PolyWeb, 'geoblock'>
  data: Pick<PolyData, 'positions' | 'activity'>
  /** The deposit wallet. */
  wallet: string
  /** What a share of a token pays, in millionths; undefined until the market is resolved. */
  payoutOf(conditionId: string, tokenId: string): Promise<bigint | undefined>
}

/** The operator's own account at Polymarket: real orders with real money. */
export function createPolymarketBroker(input: PolymarketInput): Broker {
  const { clock, log, trading, relayer } = input
  const flights = createOrderFlights()
  const pause = createPause(clock)
  const { orderIdOf, place, look } = createPlacing({ clock, log, trading, onPlaced: pause.note })
  return {
    name: 'polymarket',
    obstacles: () => findObstacles(input),
    pauses: async () => pause.obstacle(),
    clockSkewMs: createClockSkew({ clock, serverTimeMs: trading.serverTimeMs }),
    cashE6: async () => (await asking(trading.balance())).collateralE6,
    holding: (tokenId) => asking(trading.sharesE6(tokenId)),
    holdings: () => asking(readHoldings(input)),
    orderIdOf,
    place: async (order) =>
      flights.join(order.clientOrderId, () => place(order)) ?? {
        state: 'refused',
        reason: 'too many orders are under way',
      },
    find: (order) => flights.find(order.clientOrderId) ?? look(order),
    redeem: (conditionId, tokenIds) => redeemShares(input, conditionId, tokenIds),
    findPaid: (conditionId, sinceMs) => asking(findPaid(input, conditionId, sinceMs)),
    close: relayer.close,
  }
}
