import { DAY_MS } from '../../core/time/time.ts'
import type { Incident, KeptUptime, PartDay } from '../../ledger/ports/uptime-book.ts'
import type { HealthCheck, UptimeReport } from '../../products/service/services.ts'
import { createIncidentWatch, type IncidentWatch } from './incident-watch.ts'
import { minuteOf, notAnswering, notRunning, SERVICE_PART } from './not-running.ts'
import { plainCause } from './plain-cause.ts'
import { createShownUptime, PARTS_MAX } from './shown-uptime.ts'
import type { UnsavedUptime } from './unsaved-uptime.ts'

/** What is known of every part, from the ledger and from the measurements since. */
export type UptimeState = {
  /** What earlier processes left, and how long none of them ran until `startedMs`. */
  takeOver(kept: KeptUptime, startedMs: number): void
  /** Counts nothing where this minute has its measurement already. What is starting counts neither as up nor as down. */
  note(checks: readonly HealthCheck[], atMs: number, starting?: ReadonlySet<string>): void
  /** The process was held up or its machine slept for so long until now. */
  noteSilence(silentMs: number, nowMs: number): void
  report(nowMs: number): UptimeReport
}

export function createUptimeState(unsaved: Pick<UnsavedUptime, 'add' | 'put'>): UptimeState {
  const shown = createShownUptime()
  const watches = new Map<string, IncidentWatch>()
  let parts: readonly string[] = []
  let measuredMs: number | undefined

  const add = (day: PartDay) => {
    shown.add(day)
    unsaved.add(day)
  }
  const put = (incident: Incident) => {
    shown.put(incident)
    unsaved.put(incident)
  }
  const count = ({ days, incident }: ReturnType<typeof notRunning>) => {
    days.forEach(add)
    if (incident) put(incident)
  }
  const goOnWith = (open: Incident, lastMs: number) => {
    // Whoever is followed already has an incident of its own: this one ended unseen.
    if (watches.has(open.part)) put({ ...open, endedMs: Math.max(open.beganMs, lastMs) })
    else watches.set(open.part, createIncidentWatch(open.part, open, lastMs))
  }
  return {
    takeOver({ life, days, incidents }, startedMs) {
      days.forEach(shown.add)
      for (const each of incidents.toReversed()) shown.put(each)
      if (life === undefined) return
      for (const each of incidents) if (each.endedMs === undefined) goOnWith(each, life.atMs)
      const newestDay = days.reduce((newest, { day }) => Math.max(newest, day), Number.NEGATIVE_INFINITY)
      count(notRunning(life, startedMs, newestDay))
      measuredMs ??= life.atMs
    },
    note(found, atMs, starting = NONE) {
      const all = found.map((each) => (starting.has(each.name) ? { ...each, state: 'idle' as const } : each))
      const isStarting = all.some(({ name, needed }) => needed && starting.has(name))
      const checks = new Map(
        [serviceCheck(all, isStarting), ...all.slice(0, PARTS_MAX - 1)].map((each) => [each.name, each]),
      )
      parts = [...checks.keys()]
      if (measuredMs !== undefined && minuteOf(measuredMs) === minuteOf(atMs)) return
      for (const check of checks.values()) if (check.state !== 'idle') add(toDay(check, atMs))
      for (const part of new Set([...checks.keys(), ...watches.keys()])) {
        const watch = watches.get(part) ?? createIncidentWatch(part)
        watches.set(part, watch)
        const told = watch.check(toFound(checks.get(part)), atMs)
        if (told) put(told)
      }
      measuredMs = atMs
    },
    noteSilence: (silentMs, nowMs) => count(notAnswering(nowMs - silentMs, nowMs)),
    report: (nowMs) => shown.report({ parts, today: dayOf(nowMs), measuredMs }),
  }
}

/** Well while everything is that it cannot do without. */
function serviceCheck(checks: readonly HealthCheck[], isStarting: boolean): HealthCheck {
  const needed = checks.filter((each) => each.needed)
  const down = needed.filter(({ state }) => state === 'down')
  const bad = down.length > 0 ? down : needed.filter(({ state }) => state === 'degraded')
  return {
    name: SERVICE_PART,
    needed: true,
    state: down.length > 0 ? 'down' : isStarting ? 'idle' : bad.length > 0 ? 'degraded' : 'ok',
    latencyMs: null,
    ageMs: null,
    detail: bad.length === 0 ? 'runs' : `not well: ${bad.map(({ name }) => name).join(', ')}`,
  }
}

const NONE: ReadonlySet<string> = new Set()
const dayOf = (ms: number) => Math.floor(ms / DAY_MS)

function toDay({ name, state, latencyMs }: HealthCheck, atMs: number): PartDay {
  const isTimed = latencyMs !== null && Number.isFinite(latencyMs)
  const ms = isTimed ? Math.max(0, latencyMs) : 0
  return {
    day: dayOf(atMs),
    part: name,
    ok: Number(state === 'ok'),
    degraded: Number(state === 'degraded'),
    down: Number(state === 'down'),
    timed: Number(isTimed),
    totalMs: ms,
    maxMs: ms,
  }
}

/** A part that is no longer measured is as one that nobody asks. */
function toFound(check: HealthCheck | undefined) {
  const { state = 'idle', cause, detail = '' } = check ?? {}
  return { state, cause: state === 'ok' ? '' : plainCause(cause ?? detail) }
}
