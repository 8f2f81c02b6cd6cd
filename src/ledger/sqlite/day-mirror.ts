import type { DatabaseSync } from 'node:sqlite'

type Counts = Map<string, number>
type Mirror = {
  /** The counts of a day as the database has them now. Whoever changes them writes the same to the database. */
  of(day: number): Counts
  /** As they were when they were last asked for, which costs nothing. */
  guess(day: number): ReadonlyMap<string, number>
  /** What was changed may not be in the database: the next one reads all of them. */
  drop(): void
}

/** The counts of one day in memory: most callers only ask, and have nothing left. */
export function createDayMirror(db: DatabaseSync, readDay: (day: number) => Counts): Mirror {
  // Becomes another with each commit of another connection, and with none of this one.
  const version = db.prepare('PRAGMA data_version')
  let kept: { day: number; version: unknown; counts: Counts } | undefined
  const of = (day: number): Counts => {
    const now = version.get()?.data_version
    if (kept?.day !== day || kept.version !== now) kept = { day, version: now, counts: readDay(day) }
    return kept.counts
  }
  return {
    of,
    guess: (day) => (kept?.day === day ? kept.counts : of(day)),
    drop() {
      kept = undefined
    },
  }
}
