import type { Clock } from '../../../core/time/clock.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { type Head, NodeFault } from './node-kind.ts'

export type HeadAge = {
  /** Throws for a head that is stale. */
  see(head: Head): void
  ms(): number | undefined
}

/** So often in a row a lower head has to rise before it is believed: two machines that stand still only take turns. */
const RISES = 3

/**
 * By its own time, and by how long it has not advanced: a node that stands still may tell any time. A head that was far
 * too high, once, is forgotten when lower ones go on rising, as they also do after a chain was rolled back.
 */
export function createHeadAge(clock: Clock, staleAfterMs: number | undefined): HeadAge {
  let highest: (Head & { seenAtMs: number }) | undefined
  let last: number | undefined
  let rises = 0
  const ageMs = () =>
    highest && Math.max(0, clock.now() - Math.min(highest.timeMs ?? highest.seenAtMs, highest.seenAtMs))
  const isStale = () => staleAfterMs !== undefined && (ageMs() ?? 0) > staleAfterMs
  return {
    see(head) {
      rises = last !== undefined && head.height > last ? rises + 1 : 0
      last = head.height
      if (!highest || head.height > highest.height || (isStale() && rises >= RISES))
        highest = { ...head, seenAtMs: clock.now() }
      if (isStale())
        throw new NodeFault(
          `its newest block, ${head.height}, is ${Math.round((ageMs() ?? 0) / SECOND_MS)} s old`,
        )
    },
    ms: ageMs,
  }
}
