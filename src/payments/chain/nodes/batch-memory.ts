import type { Clock } from '../../../core/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import { type JsonRpc, NoBatchError, NodeStatusError } from '../json-rpc.ts'

/** Then it is tried again: what was refused may have been refused for another reason than its size. */
const REMEMBERED_MS = 10 * MINUTE_MS
/** So long after it took as many calls in one request, a bare status is no refusal of batches. */
const TAKEN_MS = HOUR_MS

/**
 * Remembers how many calls in one request a node does not take, so that it is not asked in vain every time. Where it takes
 * them it is ill when it says no: call by call, two machines behind its address could be taken for one.
 */
export function rememberBatches(clock: Clock, rpc: JsonRpc): JsonRpc {
  let refused = { calls: 0, untilMs: 0 }
  /** When it last took as many. */
  const taken = new Map<number, number>()
  const hasTaken = (calls: number) =>
    [...taken].some(([size, atMs]) => size >= calls && clock.now() - atMs < TAKEN_MS)
  return {
    call: rpc.call,
    async batch(calls, limits) {
      const isKnown = clock.now() < refused.untilMs
      if (isKnown && calls.length >= refused.calls) throw new NoBatchError()
      try {
        const results = await rpc.batch(calls, limits)
        taken.set(calls.length, clock.now())
        return results
      } catch (error) {
        if (!(error instanceof NoBatchError)) throw error
        if (error.status !== undefined && hasTaken(calls.length)) throw new NodeStatusError(error.status)
        refused = { calls: calls.length, untilMs: clock.now() + REMEMBERED_MS }
        throw error
      }
    },
  }
}
