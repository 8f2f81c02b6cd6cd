import { SECOND_MS } from '../../../core/time/time.ts'
import { WINDOW_S } from '../../../core/time/window.ts'

/** What is sold while a window is open, as it was in one second of it. */
export type Sample = {
  atMs: number
  probabilityUp: number | undefined
  marketUp: number | undefined
  bookImbalance: number | undefined
}

/**
 * What is told free is as late as a whole window is long: by then the window that it was said of has closed, whenever in
 * it that was, and nobody could have bought it as fresh any more.
 */
export const DELAY_S = WINDOW_S
/** Two windows are shown. */
export const TOLD_S = 2 * WINDOW_S

/** One a second, for as long as it is waited for and then shown. */
const KEPT_SAMPLES = DELAY_S + TOLD_S

export type DelayedTrack = {
  /** Once a second, by a timer: no setting of the clock makes timers run faster. */
  take(sample: Sample): void
  /** Those that may be told at `nowMs`, newer than `afterMs`, oldest first. */
  told(nowMs: number, afterMs?: number): readonly Sample[]
}

/**
 * The only way from what is sold to what is shown live: nothing leaves before its time. A sample is late when the clock
 * says so and as many seconds were taken after it: a clock that is set forward makes nothing older.
 */
export function createDelayedTrack(): DelayedTrack {
  const samples: Sample[] = []
  return {
    take(sample) {
      samples.push(sample)
      if (samples.length > KEPT_SAMPLES) samples.shift()
      const forgottenMs = sample.atMs - KEPT_SAMPLES * SECOND_MS
      while (samples[0] && samples[0].atMs <= forgottenMs) samples.shift()
    },
    told(nowMs, afterMs = Number.NEGATIVE_INFINITY) {
      const untilMs = nowMs - DELAY_S * SECOND_MS
      const late = samples.slice(0, Math.max(0, samples.length - DELAY_S))
      return late.filter(({ atMs }) => atMs <= untilMs && atMs > afterMs)
    },
  }
}
