import type { Measurement } from './measure.ts'
import { findSpread, type Spread } from './spread.ts'
import type { TargetName } from './targets.ts'

/** Every target's measurements, one per round. */
export type Figures = ReadonlyMap<string, readonly Measurement[]>
export type Comparison = { ours: string; other: string; atLeast: number | undefined }
export type Verdict = Comparison & { throughput: Spread; cpu: Spread | undefined; holds: boolean | undefined }

/** With a bound: goals. Without: told because the choice of the HTTP layer rests on them. */
const COMPARISONS = [
  { ours: 'tollbook/challenge', other: 'x402-hono/challenge', atLeast: 2 },
  { ours: 'tollbook/challenge', other: 'x402-express/challenge', atLeast: 3 },
  { ours: 'tollbook/demo', other: 'bare/demo', atLeast: 0.5 },
  { ours: 'tollbook/market', other: 'bare/market', atLeast: 0.5 },
  { ours: 'tollbook/document', other: 'bare/document', atLeast: 0.5 },
  { ours: 'tollbook/unchanged', other: 'bare/unchanged', atLeast: undefined },
  { ours: 'tollbook/challenge', other: 'bare/challenge', atLeast: undefined },
  { ours: 'tollbook/market', other: 'hono-log/market', atLeast: undefined },
  { ours: 'tollbook/market', other: 'x402-hono/market', atLeast: undefined },
  { ours: 'tollbook/market', other: 'x402-express/market', atLeast: undefined },
] as const satisfies readonly (Comparison & { ours: TargetName; other: TargetName })[]

/** Ratios are taken within a round, where both sides met the same machine, and then their median. */
export function verdicts(figures: Figures, comparisons: readonly Comparison[] = COMPARISONS): Verdict[] {
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
