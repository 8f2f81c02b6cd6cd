import { sleep, systemClock } from '../core/time/clock.ts'
import { WINDOW_S } from '../core/time/window.ts'

/** In this time around the opening of a window products about it may answer 503, because half of it is not known yet. */
const BEFORE_MS = 1_000
const AFTER_MS = 5_000

/** For stories on the real clock: waits where a window is about to open or has just opened. */
export async function awayFromOpening(): Promise<void> {
  const windowMs = WINDOW_S * 1000
  const sinceMs = (systemClock.now() + BEFORE_MS) % windowMs
  if (sinceMs < BEFORE_MS + AFTER_MS) await sleep(systemClock, BEFORE_MS + AFTER_MS - sinceMs)
}
