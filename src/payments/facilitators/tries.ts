import { type BackoffBounds, createBackoff } from '../../core/time/backoff.ts'
import type { Clock } from '../../core/time/clock.ts'

/**
 * Calls for those who have bought lately while a facilitator asks us to wait: one at a time, and after each that finds it
 * busy a longer pause. Else anybody whose calls are too many closes it to those who pay.
 */
export type Tries = {
  /** 0, or in how many ms one may go out. */
  waitMs(): number
  begin(): void
  /** It was answered. */
  end(): void
  /** Too many calls, a try or one from before. */
  refused(wasTry: boolean): void
}

export const TRY_AGAIN: BackoffBounds = { firstMs: 500, maxMs: 15_000 }
/** Tries are rare: nothing needs to be spread. */
const inFull = () => 1
/** When the one under way may have ended. */
const UNDER_WAY_MS = 1_000

export function createTries(clock: Clock): Tries {
  const pauses = createBackoff(TRY_AGAIN, inFull)
  let fromMs = Number.NEGATIVE_INFINITY
  let isTrying = false
  return {
    waitMs: () => (isTrying ? UNDER_WAY_MS : Math.max(0, fromMs - clock.now())),
    begin() {
      isTrying = true
    },
    end() {
      isTrying = false
      pauses.reset()
    },
    refused(wasTry) {
      if (wasTry) isTrying = false
      // Of many that come back at once the first one begins the pause.
      if (wasTry || clock.now() >= fromMs) fromMs = clock.now() + pauses.nextMs()
    },
  }
}
