import type { ChaosOutcome } from './chaos-verdict.ts'
import { FAULTS } from './faults.ts'

const LABEL_WIDTH = 28
/** One is enough to start with. */
const SHOWN_VIOLATIONS = 20

export function describeChaos(outcome: ChaosOutcome): string {
  const { counts, faults, reigns, phases, chargeTimes, revenue, violations } = outcome
  const lines = Object.entries(counts).map(([name, count]) => row(name, String(count)))
  for (const kind of FAULTS) {
    const all = faults.filter((fault) => fault.kind === kind)
    const leaders = all.flatMap(({ leaderMs }) => (leaderMs === undefined ? [] : [leaderMs]))
    const next = leaders.length === 0 ? '' : `, next leader after ${range(leaders)} ms`
    lines.push(
      row(kind, `${all.length} times, whole again after ${range(all.map(({ backMs }) => backMs))} ms${next}`),
    )
  }
  lines.push(row('terms', reigns.map(({ term }) => term).join(' ')))
  for (const [phase, ends] of phases)
    lines.push(row(`answers, ${phase}`, [...ends].map(([what, count]) => `${count} × ${what}`).join(', ')))
  const { longestToLedgerMs, longestToDeliveryMs, owed } = chargeTimes
  lines.push(
    row(
      'longest from a charge',
      `${longestToDeliveryMs} ms to its delivery, ${longestToLedgerMs} ms to its row`,
    ),
    row('charged, not yet served', `${owed} answers`),
    row(
      'revenue',
      `${revenue.moved} moved on chain, ${[...revenue.reported].map(([name, told]) => `${told} by ${name}`).join(', ')}`,
    ),
    row('violations', String(violations.length)),
  )
  for (const { rule, subject } of violations.slice(0, SHOWN_VIOLATIONS)) lines.push(`  ${rule}: ${subject}`)
  return lines.join('\n')
}

export const row = (label: string, text: string): string => `${label.padEnd(LABEL_WIDTH)} ${text}`

const range = (values: readonly number[]): string =>
  values.length === 0 ? '-' : `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}`
