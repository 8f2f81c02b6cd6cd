import type { Clock } from '../../../core/time/clock.ts'

/** The time after a failed probe in which another one would say the same. */
export type ProbePause = { isOn(): boolean; begin(): void; end(): void }

/** Doubles up to the longest, which ends within the rhythm of the watch. */
const FIRST_MS = 1_000
const LONGEST_MS = 15_000

export function createProbePause(clock: Clock): ProbePause {
  let nextMs = FIRST_MS
  let untilMs = 0
  return {
    isOn: () => clock.now() < untilMs,
    begin() {
      untilMs = clock.now() + nextMs
      nextMs = Math.min(2 * nextMs, LONGEST_MS)
    },
    end() {
      nextMs = FIRST_MS
      untilMs = 0
    },
  }
}
