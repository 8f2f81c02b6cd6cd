import type { Upstreams } from '../config/providers.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { openSocket } from '../feeds/open-socket.ts'
import { createFiveMinuteMarkets, type FiveMinuteFeed } from '../feeds/prediction/five-minute-markets.ts'
import { createUpstream } from '../upstreams/create-upstream.ts'
import { createHostGates } from '../upstreams/host-gate.ts'
import { createClob } from '../upstreams/polymarket/clob/client.ts'
import { createGamma } from '../upstreams/polymarket/gamma/client.ts'
import type { Upstream, UpstreamCounters } from '../upstreams/upstream.ts'
import { type Prediction, unheardOf } from './services.ts'

/** What is known of the prediction-market venue, kept current until stopped. */
export type OpenPrediction = {
  fiveMinute: FiveMinuteFeed
  /** What handlers may use of it. */
  services: Prediction
  counters(): readonly UpstreamCounters[]
  stop(): void
}

type Ports = { upstreams: Upstreams; clock: Clock; log: Log; random: () => number }

/** Returns at once: where the venue is down, what needs it answers 503 until it is not. */
export function openPrediction({ upstreams, clock, log, random }: Ports): OpenPrediction {
  const gates = createHostGates({ clock, random })
  const open = (provider: 'gamma' | 'clob', baseUrl: string): Upstream =>
    createUpstream({ provider, baseUrl, clock, random, gate: gates.of(baseUrl) })
  const hosts = { gamma: open('gamma', upstreams.GAMMA), clob: open('clob', upstreams.CLOB) }
  const { fiveMinute: findMarket } = createGamma(hosts.gamma)
  const { books } = createClob(hosts.clob)
  const fiveMinute = createFiveMinuteMarkets({
    clock,
    random,
    log,
    lookup: { fiveMinute: findMarket, books },
    url: `${upstreams.CLOB_WS}/market`,
    gate: gates.of(upstreams.CLOB_WS),
    openSocket,
  })
  fiveMinute.start()
  return {
    fiveMinute,
    services: { ...unheardOf, fiveMinute },
    counters: () => Object.values(hosts).map(({ counters }) => counters()),
    stop() {
      fiveMinute.stop()
      for (const host of Object.values(hosts)) host.close()
    },
  }
}
