import type { Clock } from '../../core/time/clock.ts'
import { createHostTrouble } from '../../upstreams/rules/host-trouble.ts'
import type { FeedLog } from '../feed-log.ts'
import type { VenueClient } from './venue-client.ts'

export type VenueHosts = { rest: string; socket: string }
type Options = { clock: Clock; log: FeedLog; hosts: VenueHosts }

/** The same client, and a check to call every second. Each channel logs once when it fails and once when that is over. */
export function logTroubles(
  client: VenueClient,
  { clock, log, hosts }: Options,
): { client: VenueClient; check(): void } {
  const rest = createHostTrouble({ venue: client.venue, channel: 'rest', host: hosts.rest }, clock, log)
  const socket = createHostTrouble({ venue: client.venue, channel: 'socket', host: hosts.socket }, clock, log)
  return {
    client: {
      ...client,
      watchTrades: (coin) => socket.meet(client.watchTrades(coin)),
      latestTrade: (coin) => rest.meet(client.latestTrade(coin)),
      tradesBetween: (coin, fromId, toId) => rest.meet(client.tradesBetween(coin, fromId, toId)),
      klines: (coin, fromMs, toMs) => rest.meet(client.klines(coin, fromMs, toMs)),
    },
    check() {
      rest.check()
      socket.check()
    },
  }
}
