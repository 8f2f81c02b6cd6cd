import type { Measurement } from './measure.ts'
import { findSpread } from './spread.ts'
import type { Figures, Verdict } from './verdicts.ts'

const HEADINGS = [
  'target',
  'req/s',
  'min..max',
  'CPU us/req',
  'thread us/req',
  'p50 ms',
  'p99 ms',
  'server CPU',
  'load CPU',
  'others on cores',
  'errors',
]

/** Medians over all rounds, one line per target. */
export function figuresTable(figures: Figures): string {
  const rows = [...figures].map(([name, rounds]) => {
    const median = (figure: (round: Measurement) => number | undefined) =>
      findSpread(rounds.map(figure))?.median
    const perSecond = findSpread(rounds.map((round) => round.perSecond))
    return [
      name,
      whole(perSecond?.median),
      `${whole(perSecond?.min)}..${whole(perSecond?.max)}`,
      decimal(
        median((round) => round.cpuUs),
        1,
      ),
      decimal(
        median((round) => round.busiestUs),
        1,
      ),
      decimal(
        median((round) => round.p50Ms),
        2,
      ),
      decimal(
        median((round) => round.p99Ms),
        2,
      ),
      percent(median((round) => round.serverShare)),
      percent(median((round) => round.loadShare)),
      `${percent(median((round) => round.othersOnServerCore))}, ${percent(median((round) => round.othersOnLoadCore))}`,
      errorsOf(rounds),
    ]
  })
  return aligned([HEADINGS, ...rows])
}

export function verdictsTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ ours, other, throughput, cpu, thread, by, atLeast, holds }) => [
    `${ours} : ${other}`,
    `${decimal(throughput.median, 2)}x`,
    `${decimal(throughput.min, 2)}..${decimal(throughput.max, 2)}`,
    cpu ? `${decimal(cpu.median, 2)}x` : '-',
    thread ? `${decimal(thread.median, 2)}x` : '-',
    atLeast === undefined ? '-' : `${atLeast}x by ${by ?? 'throughput'}`,
    holds === undefined ? '' : holds ? 'PASS' : 'MISS',
  ])
  return aligned([['ratio', 'throughput', 'min..max', 'CPU time', 'thread', 'goal', ''], ...rows])
}

function errorsOf(rounds: readonly Measurement[]): string {
  const totals = new Map<string, number>()
  for (const [reason, count] of rounds.flatMap(({ errors }) => Object.entries(errors)))
    totals.set(reason, (totals.get(reason) ?? 0) + count)
  return [...totals].map(([reason, count]) => `${count} x ${reason}`).join(', ') || 'none'
}

/** Names to the left, figures to the right. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (row: readonly string[]) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
  return rows.map((row) => `${line(row).join('  ').trimEnd()}\n`).join('')
}

const whole = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(0))
export const decimal = (value: number | undefined, digits: number) => value?.toFixed(digits) ?? '-'
const percent = (value: number | undefined) => (value === undefined ? '-' : `${Math.round(value * 100)} %`)
