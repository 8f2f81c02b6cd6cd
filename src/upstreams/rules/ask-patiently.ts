import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { isUnsent, UpstreamError } from '../upstream.ts'

/** When the limits of a provider let nothing through at the moment. */
const WAIT_MS = 5 * SECOND_MS

type Patience = { clock: Clock; signal: AbortSignal; untilMs: number }

/** For lists of many requests that nobody waits for: what our own bounds refuse is asked again until `untilMs`. */
export async function askPatiently<T>(ask: () => Promise<T>, patience: Patience): Promise<T> {
  const { clock, signal, untilMs } = patience
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const waitMs = Math.max(WAIT_MS, (error instanceof UpstreamError && error.retryAfterMs) || 0)
      if (!isUnsent(error) || signal.aborted || clock.now() + waitMs > untilMs) throw error
      await pause(clock, signal, waitMs)
      if (signal.aborted) throw error
    }
  }
}

function pause(clock: Clock, signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, end)
    function end() {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
  })
}
