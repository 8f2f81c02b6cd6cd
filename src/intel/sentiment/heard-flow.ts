import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { Part } from '../part.ts'
import type { WhaleFlow } from '../whales/whales.ts'

/** Of the hour that a flow is of. What was not heard is not neutral: below half of it the flow is not known. */
const LEAST_HEARD_MS = HOUR_MS / 2
/** So many say enough, however short the time that they came in: a wild hour fills the list in less. */
const ENOUGH_TRADES = 100

/** A flow of trades that we heard ourselves for long enough, at one venue at least; lists of others have gaps. */
export function heardFlow(part: Part<WhaleFlow>): Part<WhaleFlow> {
  if (part.status === 'missing') return part
  const { ownMs, trades } = part.value
  const heardMs = Math.max(...Object.values(ownMs))
  if (heardMs >= LEAST_HEARD_MS || trades >= ENOUGH_TRADES) return part
  const [heard, least] = [heardMs, LEAST_HEARD_MS].map((ms) => Math.floor(ms / MINUTE_MS))
  const reason = `trades were heard in ${heard} minutes of the last hour, ${least} are needed`
  return { source: part.source, status: 'missing', reason }
}
