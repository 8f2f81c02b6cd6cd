import { DAY_MS } from '../../../core/time/time.ts'
import {
  INCIDENTS_KEPT,
  type PartDay,
  UPTIME_DAYS_KEPT,
  type UptimeBook,
  type UptimeEntry,
} from '../../ports/uptime-book.ts'
import { toDay, toIncident, toLife } from '../../uptime-rows.ts'
import type { Database, Statements } from '../database.ts'
import { inOneMoment } from '../one-moment.ts'

const ONE_AT_A_TIME = 'LOCK TABLE uptime_life IN EXCLUSIVE MODE'
const ADD = `
  INSERT INTO uptime_days (day, part, ok, degraded, down, timed, total_ms, max_ms)
  SELECT day, part, sum(ok), sum(degraded), sum(down), sum(timed), sum(total_ms), max(max_ms)
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
    $7::double precision[], $8::double precision[])
    AS given (day, part, ok, degraded, down, timed, total_ms, max_ms)
  GROUP BY day, part
  ON CONFLICT (day, part) DO UPDATE SET ok = uptime_days.ok + excluded.ok,
    degraded = uptime_days.degraded + excluded.degraded, down = uptime_days.down + excluded.down,
    timed = uptime_days.timed + excluded.timed, total_ms = uptime_days.total_ms + excluded.total_ms,
    max_ms = greatest(uptime_days.max_ms, excluded.max_ms)`
const PUT = `
  INSERT INTO uptime_incidents (began_ms, part, ended_ms, worst, cause, is_planned) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (began_ms, part) DO UPDATE SET ended_ms = excluded.ended_ms, worst = excluded.worst,
    cause = excluded.cause, is_planned = excluded.is_planned`
const LIVE = `
  INSERT INTO uptime_life (id, at_ms, is_stop) VALUES (1, $1, $2)
  ON CONFLICT (id) DO UPDATE SET at_ms = greatest(uptime_life.at_ms, excluded.at_ms), is_stop = excluded.is_stop`
/** Counts days that were measured: no clock that is wrong for a while, ahead or behind, may cost the history. */
const OLDEST = `SELECT DISTINCT day FROM uptime_days ORDER BY day DESC LIMIT 1 OFFSET ${UPTIME_DAYS_KEPT - 1}`
const FORGET = [
  `DELETE FROM uptime_days WHERE day < (${OLDEST})`,
  `DELETE FROM uptime_incidents WHERE ended_ms < (${OLDEST}) * ${DAY_MS}`,
  `DELETE FROM uptime_incidents WHERE (began_ms, part) IN (
    SELECT began_ms, part FROM uptime_incidents ORDER BY began_ms DESC, part OFFSET ${INCIDENTS_KEPT})`,
]
const DAYS = 'SELECT * FROM uptime_days WHERE day >= $1 ORDER BY day, part'
const INCIDENTS = 'SELECT * FROM uptime_incidents ORDER BY began_ms DESC, part'
const LIFE = 'SELECT * FROM uptime_life'

const FIELDS = ['day', 'part', 'ok', 'degraded', 'down', 'timed', 'totalMs', 'maxMs'] as const

export function createPostgresUptimeBook(database: Database): UptimeBook {
  return {
    save: (entry) => database.transaction((statements) => save(statements, entry)),
    load: (sinceDay) =>
      inOneMoment(database, async (query) => ({
        life: (await query(LIFE)).rows.map(toLife)[0],
        days: (await query(DAYS, [sinceDay])).rows.map(toDay),
        incidents: (await query(INCIDENTS)).rows.map(toIncident),
      })),
  }
}

async function save({ query }: Statements, { life, days, incidents }: UptimeEntry): Promise<void> {
  await query(ONE_AT_A_TIME)
  await query(ADD, columnsOf(days))
  for (const { beganMs, part, endedMs, worst, cause, isPlanned } of incidents)
    await query(PUT, [beganMs, part, endedMs ?? null, worst, cause, isPlanned])
  await query(LIVE, [life.atMs, life.isStop])
  for (const sql of FORGET) await query(sql)
}

const columnsOf = (days: readonly PartDay[]) => FIELDS.map((field) => days.map((day) => day[field]))
