import type { HealthCheck } from '../../products/service/services.ts'
import type { UpstreamCounters } from '../../upstreams/upstream.ts'

const STATES = { ok: 'ok', open: 'down', refused: 'degraded' } as const

/** A provider of products that others can do without: what needs it answers 503 while it is down. */
export function upstreamCheck(counters: UpstreamCounters, nowMs: number): HealthCheck {
  const { provider, state, lastOkMs, lastError, requests } = counters
  return {
    name: provider,
    needed: false,
    // One failure may be an accident; it shows until the next success.
    state: state === 'ok' && lastError !== undefined ? 'degraded' : STATES[state],
    latencyMs: null,
    ageMs: lastOkMs === undefined ? null : nowMs - lastOkMs,
    detail: requests === 0 ? 'not asked yet' : describe(counters),
  }
}

const COUNTED = ['requests', 'failures', 'retries', 'malformed', 'limited'] as const

function describe(counters: UpstreamCounters): string {
  const counts = COUNTED.filter((name) => name === 'requests' || counters[name] > 0)
  const said = counts.map((name) => `${counters[name]} ${name}`)
  return [...said, ...(counters.lastError === undefined ? [] : [`last error: ${counters.lastError}`])].join(
    ', ',
  )
}
