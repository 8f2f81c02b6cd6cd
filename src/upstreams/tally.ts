import type { ProviderName } from '../config/providers.ts'
import { errorCode } from '../core/describe-error.ts'
import type { Clock } from '../core/time/clock.ts'
import type { UpstreamCounters, UpstreamError } from './upstream.ts'

/** `/health` shows it to everybody. */
const MAX_SHOWN = 160

export type Tally = {
  sent(): void
  repeated(): void
  /** Not sent, because our own bounds left no room. */
  hadNoRoom(): void
  answered(): void
  failed(error: UpstreamError): void
  counters(state: UpstreamCounters['state']): UpstreamCounters
}

/** What became of the requests to one provider. */
export function createTally(provider: ProviderName, clock: Pick<Clock, 'now'>): Tally {
  const counts = { requests: 0, failures: 0, retries: 0, malformed: 0, limited: 0 }
  let lastOkMs: number | undefined
  let lastError: string | undefined
  return {
    sent: () => void counts.requests++,
    repeated: () => void counts.retries++,
    hadNoRoom: () => void counts.limited++,
    answered() {
      lastOkMs = clock.now()
      lastError = undefined
    },
    failed(error) {
      if (error.fault === 'down') counts.failures++
      if (error.fault === 'malformed') counts.malformed++
      if (error.status === 429 || error.status === 418 || error.status === 425) counts.limited++
      lastError = shown(error)
    },
    counters: (state) => ({ provider, state, ...counts, lastOkMs, lastError }),
  }
}

/** Without what a connection's error tells about hosts and addresses, on one line. */
function shown({ fault, status, message, cause }: UpstreamError): string {
  const isOfConnection = fault === 'down' && status === undefined
  const text = isOfConnection ? `${fault}: ${errorCode(cause) ?? 'no reply'}` : `${fault}: ${message}`
  return text.replace(/[\p{C}\s]+/gu, ' ').slice(0, MAX_SHOWN)
}
