import type { Incident, PartDay, SignOfLife, UptimeBook } from '../../ledger/ports/uptime-book.ts'
import { createUptimeDays } from '../../ledger/uptime-days.ts'

/** Days times parts that wait to be saved: some weeks of a ledger that cannot be written. */
const ROWS_MAX = 1_024

/** What was measured and is not in the ledger yet. */
export type UnsavedUptime = {
  add(day: PartDay): void
  put(incident: Incident): void
  /** Rejects where that fails; then it waits for the next time. */
  save(life: SignOfLife): Promise<void>
}

export function createUnsavedUptime(book: Pick<UptimeBook, 'save'>): UnsavedUptime {
  const days = createUptimeDays(ROWS_MAX)
  const incidents = new Map<string, Incident>()
  const keyOf = ({ part, beganMs }: Incident) => `${beganMs} ${part}`
  const put = (incident: Incident) => {
    const key = keyOf(incident)
    if (incidents.has(key) || incidents.size < ROWS_MAX) incidents.set(key, incident)
  }
  return {
    add: (day) => void days.add(day),
    put,
    async save(life) {
      const entry = { life, days: days.all(), incidents: [...incidents.values()] }
      days.clear()
      incidents.clear()
      try {
        await book.save(entry)
      } catch (error) {
        entry.days.forEach(days.add)
        // What was put meanwhile is newer.
        for (const each of entry.incidents) if (!incidents.has(keyOf(each))) put(each)
        throw error
      }
    },
  }
}
