import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'

/** One timer may come late; after more than this the process was held up or its machine slept. */
const LATE_MAX_MS = 2 * MINUTE_MS

/**
 * How long nothing ran since the last call, where that was too long, else 0. Told by a clock that nobody sets: one that
 * is set ahead is no silence.
 */
export function createSilence(clock: Pick<Clock, 'now' | 'steady'>): () => number {
  const read = () => clock.steady?.() ?? clock.now()
  let lastMs = read()
  return () => {
    const nowMs = read()
    const passedMs = nowMs - lastMs
    lastMs = nowMs
    return passedMs > LATE_MAX_MS ? passedMs : 0
  }
}
