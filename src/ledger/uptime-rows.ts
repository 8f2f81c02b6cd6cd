import { type Columns, findNumber } from './columns.ts'
import type { Incident, PartDay, SignOfLife } from './ports/uptime-book.ts'

export const toLife = (row: Columns): SignOfLife => ({
  atMs: Number(row.at_ms),
  isStop: Boolean(row.is_stop),
})

export const toDay = (row: Columns): PartDay => ({
  day: Number(row.day),
  part: String(row.part),
  ok: Number(row.ok),
  degraded: Number(row.degraded),
  down: Number(row.down),
  timed: Number(row.timed),
  totalMs: Number(row.total_ms),
  maxMs: Number(row.max_ms),
})

export const toIncident = (row: Columns): Incident => ({
  part: String(row.part),
  beganMs: Number(row.began_ms),
  endedMs: findNumber(row.ended_ms),
  // The table's own CHECK allows no other text.
  worst: String(row.worst) as Incident['worst'],
  cause: String(row.cause),
  isPlanned: Boolean(row.is_planned),
})
