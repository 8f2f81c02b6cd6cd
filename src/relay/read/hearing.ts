import type { Clock } from '../../core/time/clock.ts'
import { createSteadyTime } from '../../core/time/steady-time.ts'
import { MINUTE_MS } from '../../core/time/time.ts'

/**
 * How long ago the engine said what was heard last. Its clock and ours are not compared: the entry that came fastest
 * tells how far apart they are, and whatever came slower was late. Redis tells how long it held an entry.
 */
export type Hearing = {
  /** An entry was sent at `sentMs` of the engine's steady clock and lay in Redis for `heldMs`. */
  heard(sentMs: number, heldMs: number): void
  /** Another engine: its clock is another one. */
  restart(): void
  /** Infinity until something was heard. */
  ageMs(): number
}

/**
 * Hundreds of entries. Where the clock of Redis was set forward, or the engine's machine stood still, the fastest of before
 * tells something untrue: what it makes look old is refused for so long, and twice that at most.
 */
const FASTEST_OF_MS = MINUTE_MS

export function createHearing(clock: Clock): Hearing {
  const steady = clock.steady ?? createSteadyTime(clock)
  let fastest = { nowMs: Number.POSITIVE_INFINITY, beforeMs: Number.POSITIVE_INFINITY, sinceMs: steady() }
  let saidMs = Number.NEGATIVE_INFINITY
  return {
    heard(sentMs, heldMs) {
      const atMs = steady()
      if (atMs - fastest.sinceMs > FASTEST_OF_MS)
        fastest = { nowMs: Number.POSITIVE_INFINITY, beforeMs: fastest.nowMs, sinceMs: atMs }
      fastest.nowMs = Math.min(fastest.nowMs, atMs - sentMs - heldMs)
      const apartMs = Math.min(fastest.nowMs, fastest.beforeMs)
      saidMs = Math.max(saidMs, Math.min(sentMs + apartMs, atMs - heldMs))
    },
    restart() {
      fastest = { nowMs: Number.POSITIVE_INFINITY, beforeMs: Number.POSITIVE_INFINITY, sinceMs: steady() }
    },
    ageMs: () => Math.max(0, steady() - saidMs),
  }
}
