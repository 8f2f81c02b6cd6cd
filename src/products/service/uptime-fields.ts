import { z } from 'zod'
import type { PartDay, Incident as PartIncident } from '../../ledger/ports/uptime-book.ts'
import { isoTime } from '../fields.ts'
import { Day, toDate } from '../payments/x402-fields.ts'
import { INCIDENTS_SHOWN, UPTIME_DAYS, type UptimeReport } from './services.ts'

const count = z.int().min(0)
const Fraction = z.number().min(0).max(1)
const latency = z.number().min(0).nullable()

const PartUptime = z.object({
  name: z.string().min(1).describe('Name of the part; service is all of it'),
  fraction: Fraction.nullable().describe(
    'Share of the checks that did not find it down, rounded down; null: nothing was measured',
  ),
  checks: count.describe('How many checks there were'),
  measured_days: count.max(UPTIME_DAYS).describe('On how many of the days'),
  mean_latency_ms: latency.describe('Of the checks that were timed; null: none was'),
  max_latency_ms: latency.describe('Of the slowest check; null: none was timed'),
  day_fractions: z
    .array(Fraction.nullable())
    .max(UPTIME_DAYS)
    .describe('fraction of each day of the list, oldest first; null: nothing was measured'),
  day_checks: z.array(count).max(UPTIME_DAYS).describe('Checks of each day'),
  day_degraded: z.array(count).max(UPTIME_DAYS).describe('Checks of each day that found it degraded'),
})

export const Uptime = z.object({
  from: Day.describe(`The first UTC day that was measured, at most ${UPTIME_DAYS} days back`),
  to: Day.describe('The last UTC day of the lists: today'),
  measured_at: z.iso
    .datetime()
    .nullable()
    .describe('Time of the newest measurement; one is made each minute'),
  parts: z.array(PartUptime),
})

export const Incident = z.object({
  part: z.string().min(1).describe('Which part'),
  began_at: z.iso.datetime().describe('Time of the first of the bad checks'),
  ended_at: z.iso.datetime().nullable().describe('Time of the first good check; null: it goes on'),
  worst: z.enum(['degraded', 'down']).describe('The worst state that it was in'),
  planned: z.boolean().describe('The operator stopped the service'),
  cause: z.string().describe('Why, in words'),
})
export const Incidents = z
  .array(Incident)
  .max(INCIDENTS_SHOWN)
  .describe('What goes on first, then the newest. Two bad checks in a row begin one, two good ones end it')

export const toUptime = ({ fromDay, toDay, measuredMs, parts }: UptimeReport): z.input<typeof Uptime> => ({
  from: toDate(fromDay),
  to: toDate(toDay),
  measured_at: measuredMs === undefined ? null : isoTime(measuredMs),
  parts: parts.map(toPartUptime),
})

function toPartUptime({ name, days }: UptimeReport['parts'][number]): z.input<typeof PartUptime> {
  const measured = days.filter((day) => day !== undefined)
  const sum = (key: 'timed' | 'totalMs') => measured.reduce((total, day) => total + day[key], 0)
  const isTimed = sum('timed') > 0
  return {
    name,
    fraction: fractionOf(measured),
    checks: measured.reduce((total, day) => total + checksOf(day), 0),
    measured_days: measured.length,
    mean_latency_ms: isTimed ? rounded(sum('totalMs') / sum('timed')) : null,
    max_latency_ms: isTimed ? rounded(Math.max(...measured.map(({ maxMs }) => maxMs))) : null,
    day_fractions: days.map((day) => (day ? fractionOf([day]) : null)),
    day_checks: days.map((day) => (day ? checksOf(day) : 0)),
    day_degraded: days.map((day) => day?.degraded ?? 0),
  }
}

export const toIncident = (incident: PartIncident): z.input<typeof Incident> => ({
  part: incident.part,
  began_at: isoTime(incident.beganMs),
  ended_at: incident.endedMs === undefined ? null : isoTime(incident.endedMs),
  worst: incident.worst,
  planned: incident.isPlanned,
  cause: incident.cause,
})

const checksOf = ({ ok, degraded, down }: PartDay) => ok + degraded + down

const DIGITS = 10_000
/** Rounded down: only what was never down is 1. */
function fractionOf(days: readonly PartDay[]): number | null {
  const checks = days.reduce((total, day) => total + checksOf(day), 0)
  const down = days.reduce((total, day) => total + day.down, 0)
  return checks === 0 ? null : Math.floor(((checks - down) * DIGITS) / checks) / DIGITS
}

const rounded = (ms: number) => Math.round(ms * 100) / 100
