import type { Upstreams } from '../config/providers.ts'
import type { Clock } from '../core/time/clock.ts'
import { createUpstream } from './create-upstream.ts'
import { createHostGates } from './host-gate.ts'
import type { Upstream, UpstreamCounters } from './upstream.ts'

type Ports = {
  upstreams: Pick<Upstreams, 'GAMMA' | 'CLOB' | 'POLY_DATA' | 'POLY_WEB' | 'RELAYER'>
  clock: Clock
  random: () => number
}

export type PolymarketUpstreams = Record<'gamma' | 'clob' | 'data' | 'web' | 'relayer', Upstream> & {
  counters(): UpstreamCounters[]
  close(): void
}

/** The way to each host of Polymarket, for what is read there. One of each per process: they share the limits. */
export function openPolymarketUpstreams({ upstreams, clock, random }: Ports): PolymarketUpstreams {
  const gates = createHostGates({ clock, random })
  const open = (provider: UpstreamCounters['provider'], baseUrl: string) =>
    createUpstream({ provider, baseUrl, clock, random, gate: gates.of(baseUrl) })
  const all = {
    gamma: open('gamma', upstreams.GAMMA),
    clob: open('clob', upstreams.CLOB),
    data: open('poly_data', upstreams.POLY_DATA),
    web: open('poly_web', upstreams.POLY_WEB),
    relayer: open('relayer', upstreams.RELAYER),
  }
  const list = Object.values(all)
  return {
    ...all,
    counters: () => list.map((each) => each.counters()),
    close() {
      for (const each of list) each.close()
    },
  }
}
