import type { Clock } from '../../core/time/clock.ts'
import { createRequestBudget } from '../../upstreams/rules/request-budget.ts'
import type { TraceParent } from './traceparent.ts'

/** Whether a request is traced. */
export type Sampler = (traceId: string, parent: TraceParent | undefined) => boolean

/** Callers who ask for their trace while fewer are wanted. Beyond that they get the same share as all others. */
const ASKED_FOR = { burst: 100, perSecond: 20 }
/** As many random bits as a number holds. */
const DIGITS = 13
const RANGE = 16 ** DIGITS

/** By the end of the trace id, so that all who have a part in a trace and the same share decide alike. */
export function createSampler(clock: Clock, share: number): Sampler {
  const budget = createRequestBudget(clock, ASKED_FOR, 0)
  const from = (1 - share) * RANGE
  const isChosen = (traceId: string) => Number.parseInt(traceId.slice(-DIGITS), 16) >= from
  return (traceId, parent) => {
    if (parent && !parent.isSampled) return false
    return isChosen(traceId) || (parent !== undefined && budget.findWaitMs(1) !== undefined)
  }
}
