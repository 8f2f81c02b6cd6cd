import type { Clock } from './clock.ts'

/** Milliseconds that have passed on a clock, which never go back: a clock set back an hour holds nobody up for an hour. */
export function createSteadyTime(clock: Pick<Clock, 'now'>): () => number {
  let passedMs = 0
  let lastMs = clock.now()
  return () => {
    const nowMs = clock.now()
    passedMs += Math.max(0, nowMs - lastMs)
    lastMs = nowMs
    return passedMs
  }
}
