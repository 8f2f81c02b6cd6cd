import { createBackoff } from '../../core/time/backoff.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { UpstreamError } from '../upstream.ts'

/** A request is sent once and repeated twice at most. */
const MAX_ATTEMPTS = 3
const REPEAT_BOUNDS = { firstMs: 250, maxMs: 2_000 }
/** A host that asks us to wait longer is not asked again by this call. */
const MAX_REPEAT_WAIT_MS = 5_000
/** No repeat begins later than this after the first attempt. */
const REPEAT_WITHIN_MS = 15_000

type Options = {
  clock: Clock
  random: () => number
  closing: AbortSignal
  /** How long the host as a whole wants to be left alone. */
  holdMs(): number
  /** Whether the host is given up for now. */
  isSpared(): boolean
  repeated(): void
  isSentOnce?: boolean
}

/** Repeats what is safe to repeat while that may help: the host was down, or asked for a short wait. */
export async function repeatRequest<T>(attempt: () => Promise<T>, options: Options): Promise<T> {
  const { clock, closing } = options
  const backoff = createBackoff(REPEAT_BOUNDS, options.random)
  const startedMs = clock.now()
  let failure: unknown
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      // A repeat that is not let through says less than what it was to repeat.
      failure = error instanceof UpstreamError && error.fault === 'busy' ? (failure ?? error) : error
      const waitMs = findWaitMs(error, backoff.nextMs(), options.holdMs())
      const isLate = waitMs === undefined || clock.now() + waitMs - startedMs > REPEAT_WITHIN_MS
      if (options.isSentOnce || attempts >= MAX_ATTEMPTS || isLate || options.isSpared()) throw failure
      await sleep(clock, waitMs, closing)
      if (closing.aborted) throw failure
      options.repeated()
    }
  }
}

/** Undefined where a repeat would not help, or the host wants a longer wait than we have. */
function findWaitMs(error: unknown, backoffMs: number, holdMs: number): number | undefined {
  if (!(error instanceof UpstreamError)) return undefined
  const mayHelp = error.fault === 'down' || error.status === 425 || error.status === 429
  // The hold has its own jitter.
  const waitMs = Math.max(backoffMs, holdMs > 0 ? holdMs : (error.retryAfterMs ?? 0) + backoffMs)
  return mayHelp && waitMs <= MAX_REPEAT_WAIT_MS ? waitMs : undefined
}
