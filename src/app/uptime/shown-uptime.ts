import { DAY_MS } from '../../core/time/time.ts'
import { INCIDENTS_KEPT, type Incident, type PartDay } from '../../ledger/ports/uptime-book.ts'
import { createUptimeDays } from '../../ledger/uptime-days.ts'
import { INCIDENTS_SHOWN, UPTIME_DAYS, type UptimeReport } from '../../products/service/services.ts'

/** Parts that are measured; more than there are. */
export const PARTS_MAX = 64

/** What `/status` shows, in memory: no request reads the ledger for it. */
export type ShownUptime = {
  add(day: PartDay): void
  put(incident: Incident): void
  report(input: { parts: readonly string[]; today: number; measuredMs: number | undefined }): UptimeReport
}

export function createShownUptime(): ShownUptime {
  const days = createUptimeDays(PARTS_MAX * (UPTIME_DAYS + 1))
  const incidents = new Map<string, Incident>()
  return {
    add(day) {
      if (days.add(day)) return
      // By room and not by the date: a clock that is ahead for a minute must not cost what is shown.
      days.forgetBefore(days.all().reduce((oldest, each) => Math.min(oldest, each.day), day.day) + 1)
      days.add(day)
    },
    put(incident) {
      incidents.set(`${incident.beganMs} ${incident.part}`, incident)
      const [oldest] = incidents.keys()
      if (incidents.size > INCIDENTS_KEPT && oldest !== undefined) incidents.delete(oldest)
    },
    report({ parts, today, measuredMs }) {
      const earliest = today - UPTIME_DAYS + 1
      const first = days
        .all()
        .reduce((day, each) => (each.day < earliest ? day : Math.min(day, each.day)), today)
      const shown = Array.from({ length: today - first + 1 }, (_, n) => first + n)
      return {
        fromDay: first,
        toDay: today,
        measuredMs,
        parts: parts.map((name) => ({ name, days: shown.map((day) => days.find(name, day)) })),
        incidents: [...incidents.values()]
          .filter(isNotAhead(today))
          .sort(byUrgency)
          .slice(0, INCIDENTS_SHOWN),
      }
    },
  }
}

/** What is more than a day ahead was written by a clock that was wrong. */
const isNotAhead =
  (today: number) =>
  ({ beganMs, endedMs = 0 }: Incident) =>
    Math.max(beganMs, endedMs) < (today + 2) * DAY_MS

/** What goes on first, then the newest. */
function byUrgency(a: Incident, b: Incident): number {
  const isOpen = ({ endedMs }: Incident) => Number(endedMs === undefined)
  return isOpen(b) - isOpen(a) || b.beganMs - a.beganMs || (a.part < b.part ? -1 : 1)
}
