import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { Incident, PartDay, SignOfLife } from '../../ledger/ports/uptime-book.ts'
import { IN_A_ROW, STOP_DAYS_MAX } from '../../products/service/services.ts'

/** The part that stands for all of it. */
export const SERVICE_PART = 'service'

const DAY_MINUTES = DAY_MS / MINUTE_MS
const KNOWN_MAX_MS = STOP_DAYS_MAX * DAY_MS
const NOTHING: Missed = { days: [], incident: undefined }

type Missed = { days: PartDay[]; incident: Incident | undefined }

/**
 * The checks that were due between the last sign of life and this start, each of which would have found nobody. Where
 * a clock was wrong nobody knows, and nothing is counted: a measurement on a later day shows that it ran since.
 */
export function notRunning(life: SignOfLife, nowMs: number, newestDay = Number.NEGATIVE_INFINITY): Missed {
  if (life.atMs < newestDay * DAY_MS) return NOTHING
  const cause = life.isStop ? 'stopped by its operator' : 'it was not running, and no stop was planned'
  return missedChecks(life.atMs, nowMs, { cause, isPlanned: life.isStop })
}

/** The same of a process that was held up, or whose machine slept. */
export function notAnswering(sinceMs: number, nowMs: number): Missed {
  return missedChecks(sinceMs, nowMs, { cause: 'it did not answer', isPlanned: false })
}

function missedChecks(sinceMs: number, nowMs: number, why: Pick<Incident, 'cause' | 'isPlanned'>): Missed {
  if (nowMs - sinceMs > KNOWN_MAX_MS) return NOTHING
  const until = minuteOf(nowMs)
  const from = minuteOf(sinceMs) + 1
  const missed = until - from
  // Also where the clock was set back: then nobody knows.
  if (missed <= 0) return NOTHING
  const incident: Incident = { part: SERVICE_PART, beganMs: sinceMs, endedMs: nowMs, worst: 'down', ...why }
  return { days: downDays(from, until), incident: missed >= IN_A_ROW ? incident : undefined }
}

function downDays(from: number, until: number): PartDay[] {
  const days: PartDay[] = []
  for (let minute = from; minute < until; ) {
    const day = Math.floor(minute / DAY_MINUTES)
    const next = Math.min(until, (day + 1) * DAY_MINUTES)
    const counts = { ok: 0, degraded: 0, down: next - minute }
    days.push({ day, part: SERVICE_PART, ...counts, timed: 0, totalMs: 0, maxMs: 0 })
    minute = next
  }
  return days
}

export const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS)
