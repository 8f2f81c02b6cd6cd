import type { HealthCheck } from '../../products/service/services.ts'
import type { UpstreamCounters } from '../../upstreams/upstream.ts'

/**
 * Longer than any wait before another try: who was not asked for so long may have been well for as long. Nobody is
 * asked for the sake of this check; what the last error was is said until the next answer.
 */
const IDLE_AFTER_MS = 60_000
/** An address that answers says more of its provider than one that was not asked. */
const WORSE: readonly HealthCheck['state'][] = ['idle', 'ok', 'degraded', 'down']
const STATES = { ok: 'ok', open: 'down', refused: 'degraded' } as const

/** One check for each provider, whatever number of its addresses we ask: the worst of them speaks for it. */
export function upstreamChecks(all: readonly UpstreamCounters[], nowMs: number): HealthCheck[] {
  return [...Map.groupBy(all, ({ provider }) => provider).values()].map((addresses) => {
    const checks = addresses.map((counters) => upstreamCheck(counters, nowMs))
    const worst = checks.reduce((a, b) => (WORSE.indexOf(b.state) > WORSE.indexOf(a.state) ? b : a))
    return { ...worst, detail: checks.map(({ detail }) => detail).join('; ') }
  })
}

/** A provider of products that others can do without: what needs it answers 503 while it is down. */
export function upstreamCheck(counters: UpstreamCounters, nowMs: number): HealthCheck {
  const { provider, state, lastAskedMs, lastOkMs, lastError, requests, latencyMs = null } = counters
  const unaskedMs = nowMs - (lastAskedMs ?? nowMs)
  const isForgotten = unaskedMs > IDLE_AFTER_MS && lastError !== undefined && state !== 'refused'
  const isIdle = requests === 0 || isForgotten
  return {
    name: provider,
    needed: false,
    // One failure may be an accident; it shows until the next success.
    state: isIdle ? 'idle' : state === 'ok' && lastError !== undefined ? 'degraded' : STATES[state],
    latencyMs,
    ageMs: lastOkMs === undefined ? null : nowMs - lastOkMs,
    detail: [
      ...(isForgotten ? [`not asked for ${Math.floor(unaskedMs / 1000)} s`] : []),
      requests === 0 ? 'not asked yet' : describe(counters),
    ].join(', '),
    ...(lastError !== undefined && { cause: lastError }),
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
