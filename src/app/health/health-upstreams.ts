import type { HealthCheck } from '../../products/service/services.ts'
import type { UpstreamCounters } from '../../upstreams/upstream.ts'

/**
 * Longer than any wait before another try: who was not asked for so long may have been well for as long. Nobody is
 * asked for the sake of this check; what the last error was is said until the next answer.
 */
const IDLE_AFTER_MS = 60_000
const STATES = { ok: 'ok', open: 'down', refused: 'degraded' } as const

/** A provider of products that others can do without: what needs it answers 503 while it is down. */
export function upstreamCheck(counters: UpstreamCounters, nowMs: number): HealthCheck {
  const { provider, state, lastAskedMs, lastOkMs, lastError, requests } = counters
  const unaskedMs = nowMs - (lastAskedMs ?? nowMs)
  const isIdle = unaskedMs > IDLE_AFTER_MS && lastError !== undefined && state !== 'refused'
  return {
    name: provider,
    needed: false,
    // One failure may be an accident; it shows until the next success.
    state: isIdle ? 'ok' : state === 'ok' && lastError !== undefined ? 'degraded' : STATES[state],
    latencyMs: null,
    ageMs: lastOkMs === undefined ? null : nowMs - lastOkMs,
    detail: [
      ...(isIdle ? [`not asked for ${Math.floor(unaskedMs / 1000)} s`] : []),
      requests === 0 ? 'not asked yet' : describe(counters),
    ].join(', '),
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
