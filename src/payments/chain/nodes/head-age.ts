import type { Clock } from '../../../core/time/clock.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { type Head, NodeFault } from './node-kind.ts'

export type HeadAge = {
  /** Throws for a head that is stale. */
  see(head: Head): void
  ms(): number | undefined
}

/** So often lower heads have to rise above all before, among so many, until they are believed: machines that stand still only take turns. */
const RISES = 3
const AMONG = 12

/**
 * By its own time, and by how long it has not advanced: a node that stands still may tell any time. A head that was far
 * too high, once, is forgotten when lower ones go on rising, as they also do after a chain was rolled back.
 */
export function createHeadAge(clock: Clock, staleAfterMs: number | undefined): HeadAge {
  let highest: (Head & { seenAtMs: number }) | undefined
  /** Heads since the highest. */
  let lower: number[] = []
  const ageMs = () =>
    highest && Math.max(0, clock.now() - Math.min(highest.timeMs ?? highest.seenAtMs, highest.seenAtMs))
  const isStale = () => staleAfterMs !== undefined && (ageMs() ?? 0) > staleAfterMs
  return {
    see(head) {
      lower = [...lower, head.height].slice(-AMONG)
      if (!highest || head.height > highest.height || (isStale() && isRising(lower))) {
        highest = { ...head, seenAtMs: clock.now() }
        lower = []
      }
      if (isStale())
        throw new NodeFault(
          `its newest block, ${head.height}, is ${Math.round((ageMs() ?? 0) / SECOND_MS)} s old`,
        )
    },
    ms: ageMs,
  }
}

/** The last one too: what was reached before is no rise. */
function isRising(heights: readonly number[]): boolean {
  let top = heights[0] ?? 0
  let rises = 0
  for (const height of heights.slice(1)) {
    if (height <= top) continue
    top = height
    rises++
  }
  return rises >= RISES && heights.indexOf(top) === heights.length - 1
}
