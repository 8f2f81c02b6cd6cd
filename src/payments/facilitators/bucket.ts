import type { Clock } from '../../core/time/clock.ts'

/** Calls that come back with time: so many at once after a pause. */
export type Bucket = {
  /** 0, or in how many ms there is a call beyond those that are kept. */
  waitMs(kept?: number): number
  take(): void
  /** Which share of its calls is left. */
  leftShare(): number
}
export type BucketLimits = {
  /** Calls at once after a pause, and how fast they come back. */
  burst: number
  perSecond: number
}

export function createBucket(clock: Clock, { burst, perSecond }: BucketLimits): Bucket {
  /** Counted in the time that its calls take to come back. */
  const callMs = 1000 / perSecond
  let leftMs = burst * callMs
  let filledAtMs = clock.now()
  const fill = () => {
    const nowMs = clock.now()
    leftMs = Math.min(burst * callMs, leftMs + Math.max(0, nowMs - filledAtMs))
    filledAtMs = nowMs
  }
  return {
    waitMs(kept = 0) {
      fill()
      return Math.max(0, Math.ceil((1 + kept) * callMs - leftMs))
    },
    take() {
      fill()
      leftMs -= callMs
    },
    leftShare() {
      fill()
      return leftMs / (burst * callMs)
    },
  }
}
