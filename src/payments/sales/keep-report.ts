import type { Clock } from '../../core/time/clock.ts'

/** Reports may take at most one part in so many of this process's time. */
const SHARE = 20
const KEPT_AT_MOST_MS = 60_000

/** `drop` forgets it, and says whether there was one. */
export type KeptReport<T> = (() => Promise<T>) & { drop(): boolean }

/**
 * Anyone may ask for sums over the whole ledger. Each is kept for a multiple of the time it took: what is quick is
 * always current, what is not is not made for every caller.
 */
export function keepReport<T>(clock: Clock, make: () => Promise<T>): KeptReport<T> {
  let kept: { untilMs: number; report: Promise<T> } | undefined
  const read = () => {
    if (kept && clock.now() < kept.untilMs) return kept.report
    const startedMs = clock.now()
    const made = { untilMs: Number.POSITIVE_INFINITY, report: make() }
    kept = made
    made.report.then(
      () => {
        const tookMs = clock.now() - startedMs
        made.untilMs = clock.now() + Math.min(tookMs * (SHARE - 1), KEPT_AT_MOST_MS)
      },
      () => {
        if (kept === made) kept = undefined
      },
    )
    return made.report
  }
  const drop = () => {
    const wasKept = kept !== undefined
    kept = undefined
    return wasKept
  }
  return Object.assign(read, { drop })
}
