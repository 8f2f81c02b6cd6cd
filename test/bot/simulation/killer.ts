import { MINUTE_MS } from '../../../src/core/time/time.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { Timeline } from '../../simulation/timeline.ts'

/** What a call to the outside means for the process that makes it. */
export type Fate = 'lives' | 'dies before' | 'dies after'

/** Decides at which call a process dies: some time after a moment, or soon after the next order was planned. */
export type Killer = {
  fateOf(call: string): Fate
  /** The process was killed, or a new one runs. */
  next(): void
  readonly kills: number
}

const CALLS_MAX = 40
/** Where no order is planned for so long, any call will do. */
const WAIT_MS = 5 * MINUTE_MS
/** From planning an order to the end of reconciling it. */
const CALLS_AFTER_PLAN = 14

export function createKiller(
  { timeline, random }: { timeline: Timeline; random: Seeded },
  { kills: wanted, fromMs, toMs }: { kills: number; fromMs: number; toMs: number },
): Killer {
  const moments = Array.from({ length: wanted }, () => random.between(fromMs, toMs)).sort((a, b) => a - b)
  let kills = 0
  let left = 0
  let isWaitingForPlan = false
  const aim = () => {
    isWaitingForPlan = random.chance(0.6)
    left = isWaitingForPlan ? random.between(0, CALLS_AFTER_PLAN) : random.between(0, CALLS_MAX)
  }
  aim()
  return {
    fateOf(call) {
      const waitedMs = timeline.now() - (moments[kills] ?? Number.POSITIVE_INFINITY)
      if (waitedMs < 0) return 'lives'
      if (call === 'planOrder' || waitedMs > WAIT_MS) isWaitingForPlan = false
      if (isWaitingForPlan || left-- > 0) return 'lives'
      return random.chance(0.5) ? 'dies before' : 'dies after'
    },
    next() {
      kills++
      aim()
    },
    get kills() {
      return kills
    },
  }
}
