import { createBackoff } from '../../core/time/backoff.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createSteadyTime } from '../../core/time/steady-time.ts'

/** Failures in a row after which nothing is sent for a while. */
const OPEN_AFTER = 5
/** One broken reply is an accident; so many in a row mean that the host is not what it was. */
const OPEN_AFTER_MALFORMED = 5
/** How long; the longest wait and the request that ends it fit into 30 s. */
const OPEN_BOUNDS = { firstMs: 1_000, maxMs: 15_000 }

/** `well`: it answered. `unknown`: it was not asked, or asked us to wait. */
export type Verdict = 'well' | 'down' | 'malformed' | 'unknown'

/** Spares a host that is down, and those who would wait for it. */
export type CircuitBreaker = {
  /** How long not to ask; 0 when a request may go. While one tries whether the host is back, others wait for it. */
  waitMs(): number
  /** A request goes now; what it returns is called with how it ended. */
  enter(): (verdict: Verdict) => void
  isOpen(): boolean
}

export function createCircuitBreaker({
  clock,
  random,
}: {
  clock: Clock
  random: () => number
}): CircuitBreaker {
  const time = createSteadyTime(clock)
  const backoff = createBackoff(OPEN_BOUNDS, random)
  let inARow = { down: 0, malformed: 0 }
  let openUntilMs: number | undefined
  let isProbing = false

  const open = () => {
    openUntilMs = time() + backoff.nextMs()
  }
  const close = () => {
    inARow = { down: 0, malformed: 0 }
    openUntilMs = undefined
    backoff.reset()
  }
  const judge = (verdict: Verdict, isProbe: boolean) => {
    if (verdict === 'unknown') return
    if (verdict === 'well') return close()
    inARow[verdict]++
    // What was under way when it opened fails too, and says nothing new.
    if (openUntilMs !== undefined) return isProbe ? open() : undefined
    if (inARow.down >= OPEN_AFTER || inARow.malformed >= OPEN_AFTER_MALFORMED) open()
  }
  return {
    isOpen: () => openUntilMs !== undefined,
    waitMs() {
      if (openUntilMs === undefined) return 0
      return isProbing ? OPEN_BOUNDS.firstMs : Math.max(0, openUntilMs - time())
    },
    enter() {
      const isProbe = openUntilMs !== undefined
      if (isProbe) isProbing = true
      return (verdict) => {
        if (isProbe) isProbing = false
        judge(verdict, isProbe)
      }
    },
  }
}
