import type { Clock } from '../../core/time/clock.ts'

/** What one facilitator is asked at most, in one step. */
export type LoadLimits = {
  inFlight: number
  /** Calls at once after a pause, and how fast they come back. */
  burst: number
  perSecond: number
}
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

/** Keeps the calls of one step at one facilitator within its limits, and none while it asks us to wait. */
export type Load = {
  /**
   * Takes a place and returns 0; or takes none, and returns in how many ms to try again. Strangers leave some for those
   * who have paid before.
   */
  enter(isStranger?: boolean): number
  leave(): void
  /** Nothing is sent for this long, within bounds. */
  hold(ms: number): void
  isScarce(): boolean
}

export function createLoad(clock: Clock, limits: LoadLimits = UNLIMITED): Load {
  const { inFlight, burst, perSecond } = limits
  let taken = 0
  /** The bucket is counted in the time that its calls take to come back. */
  const callMs = 1000 / perSecond
  let leftMs = burst * callMs
  let filledAtMs = clock.now()
  let heldUntilMs = Number.NEGATIVE_INFINITY
  const heldMs = () => heldUntilMs - clock.now()
  const fill = () => {
    const nowMs = clock.now()
    leftMs = Math.min(burst * callMs, leftMs + Math.max(0, nowMs - filledAtMs))
    filledAtMs = nowMs
  }
  return {
    enter(isStranger = false) {
      fill()
      const keptShare = isStranger ? KEPT_SHARE : 0
      const neededMs = callMs + keptShare * burst * callMs
      if (heldMs() > 0) return heldMs()
      if (taken >= inFlight * (1 - keptShare)) return FULL_WAIT_MS
      if (leftMs < neededMs) return Math.ceil(neededMs - leftMs)
      leftMs -= callMs
      taken++
      return 0
    },
    leave() {
      taken--
    },
    hold(ms) {
      heldUntilMs = Math.max(heldUntilMs, clock.now() + Math.min(ms, LONGEST_HOLD_MS))
    },
    isScarce() {
      fill()
      return heldMs() > 0 || leftMs < burst * callMs * SCARCE_SHARE || taken >= inFlight * SCARCE_SHARE
    },
  }
}
