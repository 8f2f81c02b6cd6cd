import type { TortureOutcome } from './torture.ts'

const LABEL_WIDTH = 24
/** One is enough to start with. */
const SHOWN_VIOLATIONS = 20

export function describeOutcome(outcome: TortureOutcome): string {
  const { kills, counts, startsMs, answers, violations, revenue, chargeTimes } = outcome
  const moments = Object.entries(Object.groupBy(kills, (moment) => moment))
  const sorted = startsMs.toSorted((a, b) => a - b)
  const lines = [
    row('kills', `${kills.length} (${moments.map(([name, of]) => `${of?.length} ${name}`).join(', ')})`),
    ...Object.entries(counts).map(([name, count]) => row(name, String(count))),
    row('start to listening', `p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms`),
    row('answers', [...answers].map(([name, count]) => `${count} × ${name}`).join(', ')),
  ]
  const { longestToLedgerMs, longestToDeliveryMs, owed } = chargeTimes
  lines.push(
    row(
      'longest from a charge',
      `${longestToDeliveryMs} ms to its delivery, ${longestToLedgerMs} ms to its row`,
    ),
    row('charged, not yet served', `${owed} answers`),
    row('revenue compared', `${revenue.moved} moved on chain, ${revenue.reported ?? 'nothing'} reported`),
  )
  lines.push(row('violations', String(violations.length)))
  for (const { rule, subject } of violations.slice(0, SHOWN_VIOLATIONS)) lines.push(`  ${rule}: ${subject}`)
  return lines.join('\n')
}

const row = (label: string, text: string): string => `${label.padEnd(LABEL_WIDTH)} ${text}`

function quantile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
