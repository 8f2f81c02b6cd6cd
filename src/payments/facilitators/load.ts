import type { Pace } from '../../core/fair-queue.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type BucketLimits, createBucket } from './bucket.ts'
import { createSlowed } from './slowed.ts'
import { createTries } from './tries.ts'

/** What one facilitator is asked at most, in one step. */
export type LoadLimits = BucketLimits & { inFlight: number }
/** Far more than a shop sells; what public facilitators bear, their 429 tells. Settling waits for a block: more are under way. */
export const PUBLIC_LIMITS: Readonly<Record<'verify' | 'settle', LoadLimits>> = {
  verify: { inFlight: 32, burst: 100, perSecond: 50 },
  settle: { inFlight: 128, burst: 100, perSecond: 50 },
}
const MOST = Number.MAX_SAFE_INTEGER
const UNLIMITED: LoadLimits = { inFlight: MOST, burst: MOST, perSecond: MOST }
/** When a place may be free again. */
const FULL_WAIT_MS = 1_000
/** A facilitator that names a longer time is asked again after this one. */
export const LONGEST_HOLD_MS = 60_000
/** Below this share of its calls, some are better kept for those who can pay. */
const SCARCE_SHARE = 0.5
/** Of places and calls, kept for those who have bought lately: any number of strangers can come at once. */
export const KEPT_SHARE = 0.25

/** A call under way. It ends once. */
export type Place = {
  leave(): void
  /** It had too many calls. Returns when the same buyer may come again. */
  refused(holdMs: number): number
}

/** Keeps the calls of one step at one facilitator within its limits. While it asks us to wait only known buyers try. */
export type Load = {
  /**
   * A place, or in how many ms to try again. `isKnown`: has bought lately. Others, where that is known, leave some for
   * those who have; where nobody knows they leave none, and do not try while they are asked to wait.
   */
  enter(isKnown?: boolean): Place | number
  /** In how many ms `enter` may find a place; 0: now. */
  waitMs(): number
  isScarce(): boolean
  /** How fast strangers may come now. */
  strangersPace(): Pace
}

export function createLoad(clock: Clock, limits: LoadLimits = UNLIMITED): Load {
  const { inFlight, burst } = limits
  const bucket = createBucket(clock, limits)
  const slowed = createSlowed(clock, strangersPart(limits))
  const tries = createTries(clock)
  let taken = 0
  let heldUntilMs = Number.NEGATIVE_INFINITY
  const heldMs = () => Math.max(0, heldUntilMs - clock.now())
  const holdFor = (isKnown: boolean | undefined) => (isKnown && heldMs() > 0 ? tries.waitMs() : heldMs())
  const hold = (ms: number) => {
    // Those that were under way when the first one was refused tell nothing new.
    if (heldMs() === 0) slowed.halve()
    heldUntilMs = Math.max(heldUntilMs, clock.now() + Math.min(ms, LONGEST_HOLD_MS))
  }
  const findWaitMs = (isKnown: boolean | undefined) => {
    const keptShare = isKnown === false ? KEPT_SHARE : 0
    const askedMs = holdFor(isKnown)
    if (askedMs > 0) return askedMs
    if (taken >= inFlight * (1 - keptShare)) return FULL_WAIT_MS
    const slowMs = isKnown === false ? slowed.bucket()?.waitMs() : 0
    return Math.max(slowMs ?? 0, bucket.waitMs(keptShare * burst))
  }
  return {
    enter(isKnown) {
      const waitMs = findWaitMs(isKnown)
      if (waitMs > 0) return waitMs
      bucket.take()
      if (isKnown === false) slowed.bucket()?.take()
      taken++
      const isTry = heldMs() > 0
      if (isTry) tries.begin()
      return {
        leave() {
          taken--
          if (isTry) tries.end()
        },
        refused(ms) {
          taken--
          hold(ms)
          tries.refused(isTry)
          return holdFor(isKnown)
        },
      }
    },
    waitMs: () => findWaitMs(undefined),
    strangersPace: () => ({ share: slowed.share(), waitMs: findWaitMs(false) }),
    isScarce: () =>
      heldMs() > 0 ||
      slowed.bucket() !== undefined ||
      bucket.leftShare() < SCARCE_SHARE ||
      taken >= inFlight * SCARCE_SHARE,
  }
}

/** Where we have set no limit of our own, what is halved is what public ones get. */
function strangersPart({ burst, perSecond }: LoadLimits): BucketLimits {
  const { verify } = PUBLIC_LIMITS
  return {
    burst: Math.min(burst, verify.burst) * (1 - KEPT_SHARE),
    perSecond: Math.min(perSecond, verify.perSecond),
  }
}
