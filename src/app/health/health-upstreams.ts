import { countText } from '../../core/count-text.ts'
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
    return addresses.length === 1 ? worst : { ...worst, detail: describeAll(addresses) }
  })
}

/** What all of them were asked, together, and the trouble of each. */
function describeAll(addresses: readonly UpstreamCounters[]): string {
  const asked = addresses.filter(({ requests }) => requests > 0)
  if (asked.length === 0) return 'not asked yet'
  const counts = COUNTED.map(([name]) => [name, asked.reduce((sum, each) => sum + each[name], 0)])
  const [first, ...rest] = countsOf(Object.fromEntries(counts))
  const where = `at ${asked.length} of ${countText(addresses.length, 'address', 'addresses')}`
  return [`${first} ${where}`, ...rest, ...asked.flatMap(lastErrorOf)].join(', ')
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

const COUNTED = [
  ['requests', 'request', 'requests'],
  ['failures', 'failure', 'failures'],
  ['retries', 'retry', 'retries'],
  ['malformed', 'malformed reply', 'malformed replies'],
  ['limited', 'over its limits or ours', 'over its limits or ours'],
] as const
type Counts = Record<(typeof COUNTED)[number][0], number>

const describe = (counters: UpstreamCounters): string =>
  [...countsOf(counters), ...lastErrorOf(counters)].join(', ')

const countsOf = (counts: Counts): string[] =>
  COUNTED.filter(([name]) => name === 'requests' || counts[name] > 0).map(([name, one, many]) =>
    countText(counts[name], one, many),
  )

const lastErrorOf = ({ lastError }: UpstreamCounters): string[] =>
  lastError === undefined ? [] : [`last error: ${lastError}`]
