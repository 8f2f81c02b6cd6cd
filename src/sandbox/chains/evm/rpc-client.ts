import { z } from 'zod'

/** A JSON-RPC call to the local chain. */
export type Rpc = ((method: string, ...params: readonly unknown[]) => Promise<unknown>) & {
  /** Many in one request; results in the order of the calls. */
  together?(calls: readonly RpcCall[]): Promise<readonly unknown[]>
}
export type RpcCall = readonly [method: string, ...params: readonly unknown[]]

const CALL_LIMIT_MS = 15_000
const Reply = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
])
const Replies = z.array(z.looseObject({ id: z.number() }))

export function createRpc(url: string): Rpc {
  const post = async (body: unknown) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    })
    return response.json()
  }
  const toRequest = ([method, ...params]: RpcCall, id: number) => ({ jsonrpc: '2.0', id, method, params })
  const call: Rpc = async (...asked) => toResult(asked, await post(toRequest(asked, 1)))
  return Object.assign(call, {
    async together(calls: readonly RpcCall[]) {
      if (calls.length === 0) return []
      const replies = new Map(
        Replies.parse(await post(calls.map(toRequest))).map((reply) => [reply.id, reply]),
      )
      return calls.map((asked, i) => toResult(asked, replies.get(i)))
    },
  })
}

/** In one request where the client can do that. */
export const callTogether = (rpc: Rpc, calls: readonly RpcCall[]): Promise<readonly unknown[]> =>
  rpc.together ? rpc.together(calls) : Promise.all(calls.map((call) => rpc(...call)))

function toResult([method]: RpcCall, json: unknown): unknown {
  const reply = Reply.parse(json)
  if ('error' in reply) throw new Error(`${method}: ${reply.error.message}`)
  return reply.result
}
