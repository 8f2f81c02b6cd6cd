import { describeError } from '../../core/describe-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { FeedLog } from '../feed-log.ts'
import type { VenueClient } from './venue-client.ts'

/** Failures are repeated within ten seconds: after this long without one, a success shows that they are over. */
const OVER_AFTER_MS = 15_000

export type VenueHosts = { rest: string; socket: string }
type Options = { clock: Clock; log: FeedLog; hosts: VenueHosts }

/** The same client, and a check to call every second. Each channel logs once when it fails and once when that is over. */
export function logTroubles(
  client: VenueClient,
  { clock, log, hosts }: Options,
): { client: VenueClient; check(): void } {
  const rest = createTrouble({ venue: client.venue, channel: 'rest', host: hosts.rest }, clock, log)
  const socket = createTrouble({ venue: client.venue, channel: 'socket', host: hosts.socket }, clock, log)
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

type Fault = { cause: string; sinceMs: number; failedMs: number; succeededMs: number | undefined }

function createTrouble(where: Readonly<Record<string, string>>, clock: Clock, log: FeedLog) {
  let fault: Fault | undefined
  const failed = (error: unknown) => {
    const nowMs = clock.now()
    if (fault) {
      fault.failedMs = nowMs
      fault.succeededMs = undefined
      return
    }
    fault = { cause: describeError(error), sinceMs: nowMs, failedMs: nowMs, succeededMs: undefined }
    log.warn({ ...where, cause: fault.cause }, 'a venue is down')
  }
  return {
    async meet<T>(work: Promise<T>): Promise<T> {
      try {
        const done = await work
        if (fault) fault.succeededMs ??= clock.now()
        return done
      } catch (error) {
        failed(error)
        throw error
      }
    },
    check() {
      if (fault?.succeededMs === undefined || clock.now() - fault.failedMs < OVER_AFTER_MS) return
      const { cause, sinceMs, succeededMs } = fault
      log.info({ ...where, cause, downMs: succeededMs - sinceMs }, 'a venue is well again')
      fault = undefined
    },
  }
}
