import type { Cores } from '../harness/cpu.ts'
import { findSpread, type Spread } from '../harness/spread.ts'
import type { Comparison } from '../harness/verdicts.ts'
import type { PaidMeasurement } from './measure.ts'
import type { TargetName } from './targets.ts'

/** Every target's measurements, one per round. */
export type PaidFigures = ReadonlyMap<TargetName, readonly PaidMeasurement[]>

/** Our whole path against one that checks no signature and keeps no ledger. */
const COMPARISONS = [
  { ours: 'instant/tollbook/many', other: 'instant/x402-hono-lean/many', atLeast: undefined },
  { ours: 'instant/tollbook/many', other: 'instant/x402-express/many', atLeast: undefined },
  { ours: 'instant/tollbook/one', other: 'instant/x402-hono/one', atLeast: undefined },
  { ours: 'anvil/tollbook/many', other: 'anvil/x402-hono/many', atLeast: undefined },
  { ours: 'anvil/tollbook/many', other: 'anvil/x402-express/many', atLeast: undefined },
] as const satisfies readonly (Comparison & { ours: TargetName; other: TargetName })[]

const GOALS = {
  1: { atLeast: 1.2, by: 'throughput' },
  2: { atLeast: 2, by: 'thread' },
} as const

export const comparisons = (cores: Cores): readonly Comparison[] => [
  { ours: 'instant/tollbook/many', other: 'instant/x402-hono/many', ...GOALS[cores] },
  ...COMPARISONS,
]

const OVERHEAD_BELOW_MS = 2

export type Overhead = {
  name: TargetName
  replyMs: number
  facilitatorMs: number
  overhead: Spread
  belowMs: number | undefined
  holds: boolean | undefined
}

/** What a paid call takes in addition to the facilitator's own verify and settle, one call at a time. */
export function overheads(figures: PaidFigures): Overhead[] {
  return [...figures].flatMap(([name, rounds]) => {
    const overhead = findSpread(rounds.map((round) => round.overheadMs))
    const median = (figure: (round: PaidMeasurement) => number) => findSpread(rounds.map(figure))?.median ?? 0
    if (!overhead || !name.endsWith('/one')) return []
    const belowMs = name.includes('/tollbook/') ? OVERHEAD_BELOW_MS : undefined
    return {
      name,
      replyMs: median((round) => round.p50Ms),
      facilitatorMs: median((round) => round.facilitatorMs),
      overhead,
      belowMs,
      holds: belowMs === undefined ? undefined : overhead.median < belowMs,
    }
  })
}
