import type { ProviderName } from '../config/providers.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { logUntil } from '../feeds/feed-log.ts'
import { createUpstream } from '../upstreams/rules/create-upstream.ts'
import { createHostGates } from '../upstreams/rules/host-gate.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { traceUpstream } from './traces/trace-upstream.ts'

/** REST addresses that are opened and closed together. */
export type Hosts = {
  open(provider: ProviderName, baseUrl: string, headers?: Readonly<Record<string, string>>): Upstream
  all: readonly Upstream[]
  close(): void
}

type Ports = {
  clock: Clock
  log: Log
  /** Whether requests that ask them may be traced. */
  isTraced?: boolean
  /** Replaced in tests only. */
  random?: () => number
}

export function createHosts({ clock, log, isTraced, random = Math.random }: Ports): Hosts {
  const stopped = new AbortController()
  const quiet = logUntil(stopped.signal, log)
  const gates = createHostGates({ clock, random })
  const all: Upstream[] = []
  return {
    all,
    open(provider, baseUrl, headers) {
      const gate = gates.of(baseUrl)
      const made = createUpstream({ provider, baseUrl, clock, random, gate, headers, log: quiet })
      const host = isTraced ? traceUpstream(made, provider) : made
      all.push(host)
      return host
    },
    close() {
      stopped.abort()
      for (const host of all) host.close()
    },
  }
}
