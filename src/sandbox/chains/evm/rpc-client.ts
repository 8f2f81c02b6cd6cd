import { z } from 'zod'

/** A JSON-RPC call to the local chain. */
export type Rpc = (method: string, ...params: readonly unknown[]) => Promise<unknown>

const CALL_LIMIT_MS = 15_000
const Reply = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
])

export function createRpc(url: string): Rpc {
  return async (method, ...params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    })
    const reply = Reply.parse(await response.json())
    if ('error' in reply) throw new Error(`${method}: ${reply.error.message}`)
    return reply.result
  }
}
