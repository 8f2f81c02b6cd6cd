import type { TortureOutcome } from './torture.ts'

const LABEL_WIDTH = 24
/** One is enough to start with. */
const SHOWN_VIOLATIONS = 20

export function describeOutcome(outcome: TortureOutcome): string {
  const { kills, counts, startsMs, answers, violations, isRevenueCompared } = outcome
  const moments = Object.entries(Object.groupBy(kills, (moment) => moment))
  const sorted = startsMs.toSorted((a, b) => a - b)
  const lines = [
    row('kills', `${kills.length} (${moments.map(([name, of]) => `${of?.length} ${name}`).join(', ')})`),
    ...Object.entries(counts).map(([name, count]) => row(name, String(count))),
    row('start to listening', `p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms`),
    row('answers', [...answers].map(([name, count]) => `${count} × ${name}`).join(', ')),
  ]
  if (!isRevenueCompared) lines.push('/x402/status is not offered: its revenue was not compared')
  lines.push(row('violations', String(violations.length)))
  for (const { rule, subject } of violations.slice(0, SHOWN_VIOLATIONS)) lines.push(`  ${rule}: ${subject}`)
  return lines.join('\n')
}

const row = (label: string, text: string): string => `${label.padEnd(LABEL_WIDTH)} ${text}`

function quantile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
