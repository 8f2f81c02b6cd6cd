import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { type JsonRpc, NoBatchError } from '../json-rpc.ts'

/** Then it is tried again: what was refused may have been refused for another reason than its size. */
const REMEMBERED_MS = 10 * MINUTE_MS

/** Remembers how many calls in one request a node does not take, so that it is not asked in vain every time. */
export function rememberBatches(clock: Clock, rpc: JsonRpc): JsonRpc {
  let refused = { calls: 0, untilMs: 0 }
  return {
    call: rpc.call,
    async batch(calls, limits) {
      const isKnown = clock.now() < refused.untilMs
      if (isKnown && calls.length >= refused.calls) throw new NoBatchError()
      return rpc.batch(calls, limits).catch((error) => {
        if (error instanceof NoBatchError)
          refused = { calls: calls.length, untilMs: clock.now() + REMEMBERED_MS }
        throw error
      })
    },
  }
}
