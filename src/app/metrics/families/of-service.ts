import type { Leadership } from '../../../ledger/postgres/leader/leadership.ts'
import type { HealthCheck, UptimeReport } from '../../../products/service/services.ts'
import type { Family } from '../family.ts'
import { gauge, oneOf, sample } from '../family.ts'

type Parts = {
  about: { mode: string; version: string }
  isReady(): boolean | undefined
  /** An engine that waits to lead, as it is meant to. */
  isStandingBy: boolean
  checks(): readonly HealthCheck[]
  uptime(): UptimeReport
  /** Undefined where there is nothing to lead. */
  leadership?: Pick<Leadership, 'term'> | undefined
}
const STATES = ['ok', 'degraded', 'down', 'idle'] as const
const seconds = (ms: number | null | undefined) => (ms === null || ms === undefined ? ms : ms / 1_000)

/** What `/readyz`, `/health` and `/status` say. */
export function serviceFamilies(parts: Parts): Family[] {
  const { about, isReady, isStandingBy, checks, uptime, leadership } = parts
  const eachCheck = (value: (check: HealthCheck) => number | null | undefined) => () =>
    checks().flatMap((check) => sample(value(check), { check: check.name }))
  return [
    gauge('tollbook_info', 'Mode and version, always 1', () => sample(1, about)),
    gauge('tollbook_ready', '1 where /readyz says ready', () =>
      sample(isReady() === undefined ? undefined : Number(isReady())),
    ),
    gauge('tollbook_standing_by', '1 where this engine waits to lead, and is not ready for that reason', () =>
      sample(Number(isStandingBy)),
    ),
    gauge('tollbook_check_state', 'What /health says of a part: 1 for its present state', () =>
      checks().flatMap(({ name, state, needed }) =>
        oneOf(STATES, state, { check: name, needed: String(needed) }),
      ),
    ),
    gauge(
      'tollbook_check_latency_seconds',
      'How long the last look at a part took',
      eachCheck(({ latencyMs }) => seconds(latencyMs)),
    ),
    gauge(
      'tollbook_check_age_seconds',
      'Age of the newest data of a part',
      eachCheck(({ ageMs }) => seconds(ageMs)),
    ),
    gauge(
      'tollbook_check_uptime_ratio',
      'Share of the checks of the last 90 days that did not find a part down',
      () => uptime().parts.flatMap(({ name, days }) => sample(uptimeOf(days), { check: name })),
    ),
    gauge('tollbook_leader_term', 'The term in which this process leads; absent while it does not', () =>
      sample(leadership?.term()),
    ),
    gauge('tollbook_incidents_open', 'Incidents that go on, as /status lists them', () =>
      sample(uptime().incidents.filter(({ endedMs }) => endedMs === undefined).length),
    ),
  ]
}

function uptimeOf(days: UptimeReport['parts'][number]['days']): number | undefined {
  let [all, down] = [0, 0]
  for (const day of days) {
    all += (day?.ok ?? 0) + (day?.degraded ?? 0) + (day?.down ?? 0)
    down += day?.down ?? 0
  }
  return all === 0 ? undefined : (all - down) / all
}
