import type { Measurement } from './measure.ts'
import { findSpread, type Spread } from './spread.ts'

/** Every target's measurements, one per round. */
export type Figures = ReadonlyMap<string, readonly Measurement[]>
export type Comparison = { ours: string; other: string; atLeast: number | undefined }
export type Verdict = Comparison & { throughput: Spread; cpu: Spread | undefined; holds: boolean | undefined }

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
    const holds = comparison.atLeast === undefined ? undefined : throughput.median >= comparison.atLeast
    return { ...comparison, throughput, cpu, holds }
  })
}
