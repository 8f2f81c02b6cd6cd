import { ServiceError } from '../../../core/service-error.ts'
import { DAY_MS } from '../../../core/time/time.ts'
import {
  CAUSE_MAX_CHARS,
  INCIDENTS_KEPT,
  type Incident,
  type KeptUptime,
  type PartDay,
  UPTIME_DAYS_KEPT,
  type UptimeBook,
} from '../../../ledger/ports/uptime-book.ts'
import { createUptimeDays } from '../../../ledger/uptime-days.ts'

export type MemoryUptime = { kept: KeptUptime }

export const createMemoryUptime = (): MemoryUptime => ({
  kept: { life: undefined, days: [], incidents: [] },
})

export function createMemoryUptimeBook(disk: MemoryUptime): UptimeBook {
  return {
    async save({ life, days, incidents }) {
      if (incidents.some(({ cause }) => cause.length > CAUSE_MAX_CHARS))
        throw new ServiceError('store_unavailable', 'a cause is too long')
      const kept = addedUp([...disk.kept.days, ...days])
      const measured = [...new Set(kept.map(({ day }) => day))].sort((a, b) => b - a)
      const oldest = measured[UPTIME_DAYS_KEPT - 1] ?? 0
      disk.kept = {
        life: { ...life, atMs: Math.max(life.atMs, disk.kept.life?.atMs ?? life.atMs) },
        days: kept.filter(({ day }) => day >= oldest),
        incidents: newest([...disk.kept.incidents, ...incidents]).filter(
          ({ endedMs }) => endedMs === undefined || endedMs >= oldest * DAY_MS,
        ),
      }
    },
    load: async (sinceDay) => ({
      ...disk.kept,
      days: disk.kept.days.filter(({ day }) => day >= sinceDay),
    }),
  }
}

function addedUp(all: readonly PartDay[]): PartDay[] {
  const days = createUptimeDays(Number.POSITIVE_INFINITY)
  all.forEach(days.add)
  return days.all().sort((a, b) => a.day - b.day || (a.part < b.part ? -1 : 1))
}

function newest(all: readonly Incident[]): Incident[] {
  const byKey = new Map(all.map((each) => [`${each.beganMs} ${each.part}`, each]))
  return [...byKey.values()]
    .sort((a, b) => b.beganMs - a.beganMs || (a.part < b.part ? -1 : 1))
    .slice(0, INCIDENTS_KEPT)
}
