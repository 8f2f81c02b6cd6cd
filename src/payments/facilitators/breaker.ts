import type { Clock } from '../../core/time/clock.ts'

/** Faults in a row that open it: nothing is sent during the pause. */
export const OPENS_AFTER_FAULTS = 3
/** Each failed probe doubles the pause. The longest ends within 30 s of an outage. */
export const FIRST_PAUSE_MS = 5_000
export const LONGEST_PAUSE_MS = 20_000
/** Pauses vary by this share, so that processes do not probe all at once. */
const JITTER = 0.2

export type Step = 'verify' | 'settle'
/** Per network and step: one may verify well and settle badly. */
export type BreakerOf = (step: Step, network: string) => Breaker
export type BreakerState = 'closed' | 'open' | 'half_open'
export type Breaker = {
  state(): BreakerState
  /** True when a call may go out now; in the half-open state only one does at a time. */
  enter(): boolean
  /** Whether `enter` would let a call out now. */
  mayEnter(): boolean
  /** Closed, and the last call did not fail. */
  isSound(): boolean
  succeeded(): void
  /**
   * `payer`: of the payment, where that may be what it failed on. All faults of one payer since the last success count as
   * one: else a few odd payments, sent in turn, would block all others.
   */
  failed(payer?: string): void
  /** Whether such a fault would open it, or keep it open. */
  wouldOpen(payer?: string): boolean
  /** A call that entered was not made after all, or says nothing about its health. */
  undecided(): void
  /**
   * The same for a call that is judged later: what this returns counts it as failed, and says whether it did. What was well
   * since, or has opened since the call was sent at `sentMs`, is not judged by it.
   */
  judgedLater(sentMs: number): (payer: string) => boolean
}

type Ports = { clock: Clock; random: () => number }

export function createBreaker(ports: Ports): Breaker {
  const pauses = createPauses(ports)
  const { state } = pauses
  let faults = 0
  let failedPayers = new Set<string>()
  let isProbing = false
  /** Successes and pauses. */
  let turns = 0
  const isNews = (payer: string | undefined) => payer === undefined || !failedPayers.has(payer)
  const opensBy = (payer: string | undefined, count: number) =>
    isNews(payer) && (state() === 'closed' ? count >= OPENS_AFTER_FAULTS : isProbing)
  const mayEnter = () => state() === 'closed' || (state() === 'half_open' && !isProbing)
  const enter = () => {
    if (!mayEnter()) return false
    isProbing = state() === 'half_open'
    return true
  }
  const undecided = () => {
    isProbing = false
  }
  const failed = (payer?: string) => {
    if (isNews(payer)) faults++
    // Calls that were already in flight when it opened must not prolong the pause.
    const opens = opensBy(payer, faults)
    if (opens) {
      turns++
      pauses.begin()
      // Whoever else finds it ill after the pause prolongs it.
      failedPayers = new Set()
    }
    if (payer !== undefined) failedPayers.add(payer)
    isProbing = false
  }
  return {
    state,
    enter,
    mayEnter,
    failed,
    undecided,
    wouldOpen: (payer) => opensBy(payer, faults + 1),
    isSound: () => faults === 0 && state() === 'closed',
    succeeded() {
      turns++
      faults = 0
      failedPayers = new Set()
      pauses.end()
      isProbing = false
    },
    judgedLater(sentMs) {
      const isOfBefore = state() === 'open' || pauses.hasBegunSince(sentMs)
      const before = turns
      undecided()
      return (payer) => {
        if (isOfBefore || turns !== before || state() === 'open') return false
        // It was a probe, and its place may have another one by now, which keeps it where this one opens nothing.
        const isOtherOut = isProbing
        isProbing = state() === 'half_open'
        failed(payer)
        isProbing = state() === 'half_open' && isOtherOut
        return true
      }
    },
  }
}

/** When nothing is sent: each pause is twice as long as the one before, until all is well. */
function createPauses({ clock, random }: Ports) {
  let lengthMs = FIRST_PAUSE_MS
  let beganMs = Number.NEGATIVE_INFINITY
  let endsMs: number | undefined
  return {
    state(): BreakerState {
      if (endsMs === undefined) return 'closed'
      // A clock that was set back would else keep it open for as long.
      return clock.now() >= beganMs && clock.now() < endsMs ? 'open' : 'half_open'
    },
    begin() {
      beganMs = clock.now()
      endsMs = beganMs + lengthMs * (1 - JITTER + 2 * JITTER * random())
      lengthMs = Math.min(lengthMs * 2, LONGEST_PAUSE_MS)
    },
    end() {
      lengthMs = FIRST_PAUSE_MS
      endsMs = undefined
    },
    // Not by a clock that was set back since.
    hasBegunSince: (atMs: number) => atMs < beganMs && beganMs <= clock.now(),
  }
}
