import type { Measurement } from './measure.ts'
import { findSpread, type Spread } from './spread.ts'

/** Every target's measurements, one per round. */
export type Figures = ReadonlyMap<string, readonly Measurement[]>
export type Comparison = {
  ours: string
  other: string
  atLeast: number | undefined
  /** What the goal is about. The busiest thread where cores cannot be had: it bounds what they would bring. */
  by?: 'throughput' | 'thread'
}
export type Verdict = Comparison & {
  throughput: Spread
  cpu: Spread | undefined
  thread: Spread | undefined
  holds: boolean | undefined
}

/** Ratios are taken within a round, where both sides met the same machine, and then their median. */
export function verdicts(figures: Figures, comparisons: readonly Comparison[]): Verdict[] {
  return comparisons.flatMap((comparison) => {
    const ours = figures.get(comparison.ours) ?? []
    const other = figures.get(comparison.other) ?? []
    const rounds = Math.min(ours.length, other.length)
    const perRound = (ratio: (a: Measurement, b: Measurement) => number | undefined) =>
      findSpread(
        Array.from({ length: rounds }, (_, i) => ratio(ours[i] as Measurement, other[i] as Measurement)),
      )
    const throughput = perRound((a, b) => a.perSecond / b.perSecond)
    if (!throughput) return []
    const cpu = perRound((a, b) => (a.cpuUs && b.cpuUs ? b.cpuUs / a.cpuUs : undefined))
    const thread = perRound((a, b) => (a.busiestUs && b.busiestUs ? b.busiestUs / a.busiestUs : undefined))
    const judged = comparison.by === 'thread' ? thread : throughput
    const holds = comparison.atLeast && judged ? judged.median >= comparison.atLeast : undefined
    return { ...comparison, throughput, cpu, thread, holds }
  })
}
