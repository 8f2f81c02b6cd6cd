import { PROVIDERS, type ProviderName, type RequestLimit } from '../../config/providers.ts'
import { json, type Reply } from './reply.ts'

/** How near clients have come to a published limit. `largest` is above `limit` when a request was refused. */
export type LimitUsage = {
  provider: ProviderName
  path: string
  limit: number
  perMs: number
  largest: number
  refused: number
}

/** The limits that providers publish, kept by the sandbox as well. */
export type RequestLimits = {
  /** Counts a request; a 429 where it is one too many. */
  take(provider: string, path: string): Reply | undefined
  usage(): readonly LimitUsage[]
}

export function createRequestLimits(nowMs: () => number): RequestLimits {
  const counters = Object.entries(PROVIDERS).flatMap(([name, provider]) =>
    ('limits' in provider ? provider.limits : []).map((limit) =>
      createCounter(name as ProviderName, limit, nowMs),
    ),
  )
  return {
    take(provider, path) {
      const counted = counters.filter((each) => each.provider === provider && path.startsWith(each.path))
      // Every limit counts the request, whichever refuses it.
      const waitsMs = counted.map((counter) => counter.take())
      const waitMs = Math.max(0, ...waitsMs)
      if (waitMs === 0) return undefined
      const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) }
      return json(429, { error: 'rate limit exceeded' }, headers)
    },
    usage: () => counters.map(({ usage }) => usage()),
  }
}

/** The times of the requests that were let through in the last `perMs`, in a ring of as many as may be. */
function createCounter(provider: ProviderName, { path, count, perMs }: RequestLimit, nowMs: () => number) {
  const timesMs: number[] = []
  let oldest = 0
  let held = 0
  let largest = 0
  let refused = 0
  return {
    provider,
    path,
    /** Zero, or how long to wait. */
    take(): number {
      const atMs = nowMs()
      const oldestMs = () => timesMs[oldest] ?? Number.NEGATIVE_INFINITY
      while (held > 0 && oldestMs() <= atMs - perMs) {
        oldest = (oldest + 1) % count
        held--
      }
      largest = Math.max(largest, held + 1)
      if (held === count) {
        refused++
        return oldestMs() + perMs - atMs
      }
      timesMs[(oldest + held) % count] = atMs
      held++
      return 0
    },
    usage: (): LimitUsage => ({ provider, path, limit: count, perMs, largest, refused }),
  }
}
