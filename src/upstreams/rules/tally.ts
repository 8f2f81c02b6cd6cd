import type { ProviderName } from '../../config/providers.ts'
import { errorCode } from '../../core/describe-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type UpstreamCounters, UpstreamError } from '../upstream.ts'

/** `/health` shows it to everybody. */
const MAX_SHOWN = 160

export type Tally = {
  /** Somebody wants something, sent or not. */
  asked(): void
  sent(): void
  repeated(): void
  /** Not sent, because our own bounds left no room. */
  hadNoRoom(): void
  /** Took so long from sending to the last byte. */
  answered(latencyMs: number): void
  failed(error: UpstreamError): void
  counters(state: UpstreamCounters['state']): UpstreamCounters
}

/** What became of the requests to one provider. */
export function createTally(provider: ProviderName, clock: Pick<Clock, 'now'>): Tally {
  const counts = { requests: 0, failures: 0, retries: 0, malformed: 0, limited: 0 }
  let lastAskedMs: number | undefined
  let lastOkMs: number | undefined
  let lastError: string | undefined
  let latencyMs: number | undefined
  return {
    asked() {
      lastAskedMs = clock.now()
    },
    sent: () => void counts.requests++,
    repeated: () => void counts.retries++,
    hadNoRoom: () => void counts.limited++,
    answered(tookMs) {
      latencyMs = tookMs
      lastOkMs = clock.now()
      lastError = undefined
    },
    failed(error) {
      if (error.fault === 'down') counts.failures++
      if (error.fault === 'malformed') counts.malformed++
      if (error.status === 429 || error.status === 418 || error.status === 425) counts.limited++
      if (!isOfRequest(error)) lastError = shownError(error)
    },
    counters: (state) => ({ provider, state, ...counts, lastAskedMs, lastOkMs, lastError, latencyMs }),
  }
}

/** The provider did not like what was asked, which may be a stranger's odd wish: no trouble that everybody is told. */
const isOfRequest = ({ status }: UpstreamError) => status === 400 || status === 422

/** For everybody: without what a connection's error tells about hosts and addresses, on one line. */
export function shownError(error: unknown): string {
  if (!(error instanceof UpstreamError)) return 'down: no reply'
  const { fault, status, message, cause } = error
  const isOfConnection = fault === 'down' && status === undefined
  const text = isOfConnection ? `${fault}: ${errorCode(cause) ?? 'no reply'}` : `${fault}: ${message}`
  return text.replace(/[\p{C}\s]+/gu, ' ').slice(0, MAX_SHOWN)
}
