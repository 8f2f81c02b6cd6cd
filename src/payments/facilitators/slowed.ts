import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { type Bucket, type BucketLimits, createBucket } from './bucket.ts'

/**
 * How strangers are slowed after a facilitator had too many calls: each time they get half as many, down to one at once,
 * and twice as many for each time that nothing was said. What it bears is not known otherwise, and who holds nothing can
 * bring about one 429 after another.
 */
export type Slowed = {
  /** It has had too many calls once more. */
  halve(): void
  /** What strangers have; undefined where it is as much as ever. */
  bucket(): Bucket | undefined
  /** How much of what they have otherwise. */
  share(): number
}

export const RECOVERS_AFTER_MS = 2 * MINUTE_MS
const LEAST_SHARE = 1 / 64

export function createSlowed(clock: Clock, { burst, perSecond }: BucketLimits): Slowed {
  let slow: { share: number; bucket: Bucket; fromMs: number } | undefined
  const setShare = (share: number) => {
    const limits = { burst: Math.max(1, burst * share), perSecond: perSecond * share }
    slow = share < 1 ? { share, bucket: createBucket(clock, limits), fromMs: clock.now() } : undefined
  }
  const recover = () => {
    const times = slow ? Math.floor((clock.now() - slow.fromMs) / RECOVERS_AFTER_MS) : 0
    if (slow && times > 0) setShare(slow.share * 2 ** times)
  }
  return {
    halve() {
      recover()
      setShare(Math.max(LEAST_SHARE, (slow?.share ?? 1) / 2))
    },
    bucket() {
      recover()
      return slow?.bucket
    },
    share() {
      recover()
      return slow?.share ?? 1
    },
  }
}
