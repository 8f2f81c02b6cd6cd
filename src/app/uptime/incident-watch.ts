import type { Incident } from '../../ledger/ports/uptime-book.ts'
import { IN_A_ROW } from '../../products/service/services.ts'

/** Checks without an answer after which an incident is over as far as anybody knows. */
const UNKNOWN_ENDS = 10

export type Found = { state: 'ok' | 'degraded' | 'down' | 'idle'; cause: string }

/** Follows one part from check to check. */
export type IncidentWatch = {
  /** The incident that has begun, changed or ended with this check. */
  check(found: Found, atMs: number): Incident | undefined
}

type Run = { count: number; sinceMs: number }
const NONE: Run = { count: 0, sinceMs: 0 }

/** `open` is an incident that an earlier process left open, and `lastMs` its last measurement. */
export function createIncidentWatch(part: string, open?: Incident, lastMs = 0): IncidentWatch {
  let current = open
  let lastBadMs = lastMs
  let bad = NONE
  let good = NONE
  let unknown = 0
  let first: Pick<Incident, 'worst' | 'cause'> | undefined

  const end = (endedMs: number): Incident | undefined => {
    // A clock that was set back must not end it before it began.
    const ended = current && { ...current, endedMs: Math.max(current.beganMs, endedMs) }
    current = undefined
    return ended
  }
  const meetBad = (worst: Incident['worst'], cause: string, atMs: number): Incident | undefined => {
    bad = longer(bad, atMs)
    good = NONE
    lastBadMs = atMs
    if (current) {
      if (current.worst === 'down' || worst !== 'down') return undefined
      current = { ...current, worst, cause }
      return current
    }
    first = worst === 'down' && first?.worst !== 'down' ? { worst, cause } : (first ?? { worst, cause })
    if (bad.count < IN_A_ROW) return undefined
    current = { part, beganMs: bad.sinceMs, endedMs: undefined, isPlanned: false, ...first }
    return current
  }
  const meetGood = (atMs: number): Incident | undefined => {
    bad = NONE
    first = undefined
    good = longer(good, atMs)
    return good.count >= IN_A_ROW ? end(good.sinceMs) : undefined
  }
  return {
    check({ state, cause }, atMs) {
      unknown = state === 'idle' ? unknown + 1 : 0
      if (state === 'idle') return unknown === UNKNOWN_ENDS ? end(lastBadMs) : undefined
      return state === 'ok' ? meetGood(atMs) : meetBad(state, cause, atMs)
    },
  }
}

const longer = ({ count, sinceMs }: Run, atMs: number): Run => ({
  count: count + 1,
  sinceMs: count === 0 ? atMs : sinceMs,
})
