import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { LiquidationTotals } from '../../feeds/liquidations/liquidation-feed.ts'
import type { Part } from '../part.ts'

const NAMED_MS = { hour: HOUR_MS, day: DAY_MS } as const
/** Sums of less than half of an hour or a day must not be called one. */
const LEAST_SHARE = 0.5
/** A span ends within a minute that is under way, so it is shorter than its name by up to one. */
const SLACK_MS = MINUTE_MS

/** Sums of a span that at least one venue was listened to for long enough. */
export function heardEnough(part: Part<LiquidationTotals>, span: 'hour' | 'day'): Part<LiquidationTotals> {
  if (part.status === 'missing') return part
  const { spanMs, coverage } = part.value
  const heardMs = spanMs * Math.max(...Object.values(coverage))
  const leastMs = NAMED_MS[span] * LEAST_SHARE
  if (heardMs + SLACK_MS >= leastMs) return part
  const [heard, least] = [heardMs, leastMs].map((ms) => Math.floor(ms / MINUTE_MS))
  const reason = `heard for ${heard} minutes of the last ${span}, ${least} are needed`
  return { source: part.source, status: 'missing', reason }
}
