import type { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../../core/time/time.ts'
import {
  type Incident,
  type PartDay,
  type SignOfLife,
  UPTIME_DAYS_KEPT,
  type UptimeBook,
} from '../ports/uptime-book.ts'
import { toDay, toIncident, toLife } from '../uptime-rows.ts'
import { findNumber } from './columns.ts'
import type { GroupCommit } from './group-commit.ts'

export function createSqliteUptimeBook(db: DatabaseSync, commit: GroupCommit): UptimeBook {
  const { add, put, live, forget, read } = prepareStatements(db)
  return {
    save: ({ life, days, incidents }) =>
      commit.write(() => {
        days.forEach(add)
        incidents.forEach(put)
        live(life)
        forget()
      }),
    load: (sinceDay) => commit.read(() => read(sinceDay)),
  }
}

function prepareStatements(db: DatabaseSync) {
  const add = db.prepare(`
    INSERT INTO uptime_days (day, part, ok, degraded, down, timed, total_ms, max_ms)
    VALUES (:day, :part, :ok, :degraded, :down, :timed, :totalMs, :maxMs)
    ON CONFLICT (day, part) DO UPDATE SET ok = ok + excluded.ok, degraded = degraded + excluded.degraded,
      down = down + excluded.down, timed = timed + excluded.timed, total_ms = total_ms + excluded.total_ms,
      max_ms = max(max_ms, excluded.max_ms)
  `)
  const put = db.prepare(`
    INSERT INTO uptime_incidents (began_ms, part, ended_ms, worst, cause, is_planned)
    VALUES (:beganMs, :part, :endedMs, :worst, :cause, :isPlanned)
    ON CONFLICT (began_ms, part) DO UPDATE SET ended_ms = excluded.ended_ms, worst = excluded.worst,
      cause = excluded.cause, is_planned = excluded.is_planned
  `)
  const live = db.prepare(`
    INSERT INTO uptime_life (only, at_ms, is_stop) VALUES (1, :atMs, :isStop)
    ON CONFLICT (only) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms), is_stop = excluded.is_stop
  `)
  const days = db.prepare('SELECT * FROM uptime_days WHERE day >= ? ORDER BY day, part')
  const incidents = db.prepare('SELECT * FROM uptime_incidents ORDER BY began_ms DESC, part')
  const life = db.prepare('SELECT * FROM uptime_life')
  return {
    add: (day: PartDay): void => void add.run(day),
    put: ({ endedMs, isPlanned, ...rest }: Incident): void =>
      void put.run({ ...rest, endedMs: endedMs ?? null, isPlanned: Number(isPlanned) }),
    live: ({ atMs, isStop }: SignOfLife): void => void live.run({ atMs, isStop: Number(isStop) }),
    forget: createForget(db),
    read: (sinceDay: number) => ({
      life: life.all().map(toLife)[0],
      days: days.all(sinceDay).map(toDay),
      incidents: incidents.all().map(toIncident),
    }),
  }
}

/** Counts days that were measured: no clock that is wrong for a while, ahead or behind, may cost the history. */
function createForget(db: DatabaseSync): () => void {
  const oldest = db.prepare(
    `SELECT DISTINCT day FROM uptime_days ORDER BY day DESC LIMIT 1 OFFSET ${UPTIME_DAYS_KEPT - 1}`,
  )
  const before = db.prepare('DELETE FROM uptime_days WHERE day < ?')
  const beforeIncidents = db.prepare('DELETE FROM uptime_incidents WHERE ended_ms < ?')
  return () => {
    const day = findNumber(oldest.get()?.day)
    if (day === undefined) return
    before.run(day)
    beforeIncidents.run(day * DAY_MS)
  }
}
