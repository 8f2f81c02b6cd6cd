import { z } from 'zod'
import {
  type LoopbackInput,
  type LoopbackReply,
  type LoopbackRequest,
  type LoopbackServer,
  startLoopbackServer,
} from '../../loopback-server.ts'
import { RPC_ERRORS, SvmRpcError } from './error.ts'
import type { SvmMethods } from './methods.ts'

const MAX_BATCH = 50
const Call = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
})

/** JSON-RPC 2.0 over HTTP, single calls and batches. */
export function serveSvmRpc(
  methods: SvmMethods,
  place: Pick<LoopbackInput, 'port' | 'isShared'>,
): Promise<LoopbackServer> {
  return startLoopbackServer({ ...place, answer: async (request) => answer(methods, request) })
}

function answer(methods: SvmMethods, { method, headers, body }: LoopbackRequest): LoopbackReply {
  // A web page can post forms and plain text to loopback without a CORS preflight, but not JSON.
  const isJson = headers['content-type']?.startsWith('application/json')
  if (method !== 'POST' || !isJson) return { status: 415, body: '{"error":"POST application/json"}' }
  return { status: 200, body: JSON.stringify(answerAll(methods, parseBody(body.toString()))) }
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function answerAll(methods: SvmMethods, calls: unknown): unknown {
  if (calls === undefined) return fail(null, new SvmRpcError(RPC_ERRORS.parse, 'Parse error'))
  if (!Array.isArray(calls)) return answerOne(methods, calls)
  if (calls.length > MAX_BATCH)
    return fail(null, new SvmRpcError(RPC_ERRORS.invalidRequest, 'Batch too long'))
  return calls.map((call) => answerOne(methods, call))
}

function answerOne(methods: SvmMethods, json: unknown): unknown {
  const call = Call.safeParse(json)
  if (!call.success) return fail(null, new SvmRpcError(RPC_ERRORS.invalidRequest, 'Invalid Request'))
  const { id, method, params } = call.data
  try {
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!run) throw new SvmRpcError(RPC_ERRORS.methodNotFound, `Method not found: ${method}`)
    return { jsonrpc: '2.0', id, result: run(params) }
  } catch (error) {
    return fail(id, error)
  }
}

function fail(id: string | number | null, error: unknown) {
  const message = error instanceof Error ? error.message : String(error)
  const known = error instanceof SvmRpcError ? error : new SvmRpcError(RPC_ERRORS.internal, message)
  const { code, data } = known
  return { jsonrpc: '2.0', id, error: { code, message: known.message, ...(data !== undefined && { data }) } }
}
