import type { Clock } from '../../core/time/clock.ts'
import { createCircuitBreaker } from '../rules/circuit-breaker.ts'
import { createPacer } from '../rules/pacer.ts'
import { UpstreamError } from '../upstream.ts'

/** A node of the chain as payments open it: rejects where the node gives no answer, or refuses. */
export type ChainNode = { call(method: string, params: readonly unknown[]): Promise<unknown> }

export type PacedNodeInput = { node: ChainNode; clock: Clock; random: () => number }

/** Rejects with an `UpstreamError` only. */
export type PacedNode = ChainNode & { close(): void }

/** Public nodes publish no limit; this little they all allow, and payments ask the same node. */
const LIMITS = [{ path: '', count: 20, perMs: 1_000 }]
const TIMEOUT_MS = 5_000

export function createPacedNode({ node, clock, random }: PacedNodeInput): PacedNode {
  const pacer = createPacer({ clock, limits: LIMITS })
  const breaker = createCircuitBreaker({ clock, random })
  const send = async (method: string, params: readonly unknown[]) => {
    const judge = breaker.enter()
    let cancel = () => {}
    const late = new Promise<never>((_, reject) => {
      cancel = clock.after(TIMEOUT_MS, () =>
        reject(new UpstreamError('down', `${method}: no answer in ${TIMEOUT_MS} ms`)),
      )
    })
    try {
      const result = await Promise.race([node.call(method, params), late])
      judge('well')
      return result
    } catch (error) {
      const failure = toUpstreamError(method, error)
      judge(failure.fault === 'down' ? 'down' : 'well')
      throw failure
    } finally {
      cancel()
    }
  }
  return {
    async call(method, params) {
      const openMs = Math.ceil(breaker.waitMs())
      if (openMs > 0)
        throw new UpstreamError('busy', `the node is down: not asked for ${openMs} ms`, {
          retryAfterMs: openMs,
        })
      const leave = await pacer.enter('').catch((error: unknown) => {
        throw new UpstreamError('busy', 'too many questions wait for the node', { cause: error })
      })
      try {
        return await send(method, params)
      } finally {
        leave()
      }
    },
    close: pacer.close,
  }
}

/** A node that refuses, because a call reverts or asks for too much, is well. */
function toUpstreamError(method: string, error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  const isRefusal = error instanceof Error && error.name === 'JsonRpcRefusal'
  return new UpstreamError(
    isRefusal ? 'refused' : 'down',
    `${method}: ${isRefusal ? 'refused' : 'no answer'}`,
    {
      cause: error,
    },
  )
}
