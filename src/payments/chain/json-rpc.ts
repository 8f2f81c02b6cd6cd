import { readBoundedText } from '../../core/bounded-text.ts'

/** One chain node over HTTP. Throws whenever there is no answer; whether null is one is for the caller to decide. */
export type JsonRpc = {
  call(method: string, params: readonly unknown[], limits?: ReplyLimits): Promise<unknown>
  /** Several calls in one request; results in the order of the calls. */
  batch(calls: readonly RpcCall[], limits?: ReplyLimits): Promise<unknown[]>
}
/** A longer reply is `ReplyTooLargeError`, and is not parsed. */
export type ReplyLimits = { replyBytes: number }
export type RpcCall = readonly [method: string, params: readonly unknown[]]

const ANY_REPLY: ReplyLimits = { replyBytes: 8 * 1024 * 1024 }
/** go-ethereum: a call that reverted. */
const REVERT_CODE = 3
/**
 * How nodes say that the contract failed, with many codes. "Aborted" and limits are the node's own, and not among them;
 * a call with too little gas for its own bytes is, since its bytes are the caller's.
 */
const CONTRACT_FAILURES = [
  /revert/i,
  /out ?of ?gas/i,
  /invalid ?(fe ?)?opcode|bad ?instruction|opcode ?not ?found/i,
  /stack ?(under|over)flow|stack limit reached/i,
  /(invalid|bad) ?jump/i,
  /write ?protection|state change during static ?call|static ?call violation/i,
  /return data out of bounds/i,
  /gas uint(64)? overflow|intrinsic gas too low|floor data gas|call ?gas ?cost ?more ?than ?gas ?limit/i,
  /max (code|initcode) size exceeded|create ?(contract|init ?code) ?size ?limit/i,
  /contract address collision|invalid code: must not begin with 0xef/i,
  /^EVM error:? (\w*OOG|OutOfOffset|OutOfFunds|CallTooDeep|NotActivated|PrecompileError|Create\w+)/,
]

/** The node understood the call and returned an error. */
export class JsonRpcRefusal extends Error {
  /** The contract that was called failed, whatever node is asked. */
  readonly isContractFailure: boolean
  readonly code: unknown

  constructor(method: string, error: RpcError) {
    super(`${method}: ${String(error.message).slice(0, 200)} (${String(error.code)})`)
    this.name = 'JsonRpcRefusal'
    this.code = error.code
    this.isContractFailure = isContractFailure(error)
  }
}

/** It was asked too much: nothing is said about this call, and a smaller one would fare no better. */
export class NodeBusyError extends Error {
  constructor(method: string) {
    super(`${method}: the chain node is asked too much`)
    this.name = 'NodeBusyError'
  }
}

/** It answered with a status that is not a JSON-RPC reply. */
export class NodeStatusError extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the chain node answered ${status}`)
    this.name = 'NodeStatusError'
    this.status = status
  }
}

/** What it would answer is more than we read. */
export class ReplyTooLargeError extends Error {
  constructor() {
    super('the reply of the chain node is too large')
    this.name = 'ReplyTooLargeError'
  }
}

/** It takes single calls only, or fewer in one request. `status`: it said no more than that, which may mean something else. */
export class NoBatchError extends Error {
  readonly status: number | undefined

  constructor(status?: number) {
    super('the chain node does not support batches')
    this.name = 'NoBatchError'
    this.status = status
  }
}

/** Statuses with which some nodes send a JSON-RPC error. */
const REFUSING_STATUSES: readonly number[] = [400, 413, 422]
/** With these providers refuse batches where the plan is free. A node that is ill says the same to the single calls that follow. */
const NO_BATCH_STATUSES: readonly number[] = [...REFUSING_STATUSES, 403, 405]
/** With 500 only what is more than a few: to these it is an illness, and the next machine behind the address may be well. */
const FEW_CALLS = 3
const isBatchRefused = (status: number, calls: number) =>
  NO_BATCH_STATUSES.includes(status) || (status === 500 && calls > FEW_CALLS)
/** As a code of JSON-RPC too. All others mean something else at another provider. */
const TOO_MANY_REQUESTS = 429
const BUSY_WORDS =
  /rate.?limit|too many requests?\b|requests?.{0,20} per (second|minute|day)|requests? (count|limit)|(rps|throughput|capacity) limit|compute units|\bCU per second|quota.{0,10} exceeded|^limit exceeded$/i

/** No error message contains `rpcUrl`, which may hold a provider's key. */
export function createJsonRpc({ rpcUrl, timeoutMs }: { rpcUrl: string; timeoutMs: number }): JsonRpc {
  let lastId = 0
  const post = async (body: unknown, { replyBytes }: ReplyLimits): Promise<unknown> => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readBoundedText(response, replyBytes)
    if (text === undefined) throw new ReplyTooLargeError()
    if (response.ok) return JSON.parse(text)
    const refusal = REFUSING_STATUSES.includes(response.status) ? findRefusal(text) : undefined
    if (refusal === undefined) throw new NodeStatusError(response.status)
    return refusal
  }
  const toRequest = ([method, params]: RpcCall) => ({ jsonrpc: '2.0', id: ++lastId, method, params })
  return {
    async call(method, params, limits = ANY_REPLY) {
      const request = toRequest([method, params])
      return resultOf(request, await post(request, limits))
    },
    async batch(calls, limits = ANY_REPLY) {
      const requests = calls.map(toRequest)
      const replies = await post(requests, limits).catch((error) => {
        throw error instanceof NodeStatusError && isBatchRefused(error.status, calls.length)
          ? new NoBatchError(error.status)
          : error
      })
      // Without batches, or without such long ones, there is one error for all of it, or the same for each of nobody's.
      const isOurs = (reply: unknown) => requests.some((request) => isReplyTo(request, reply))
      if (!Array.isArray(replies) || replies.length < requests.length || !replies.some(isOurs))
        throw isBusy(errorOf(Array.isArray(replies) ? replies[0] : replies))
          ? new NodeBusyError('a batch')
          : new NoBatchError()
      return requests.map((request) =>
        resultOf(
          request,
          replies.find((reply) => isReplyTo(request, reply)),
        ),
      )
    },
  }
}

/** In one request, or one after the other where the node takes no batches. */
export async function callTogether(
  rpc: JsonRpc,
  calls: readonly RpcCall[],
  limits?: ReplyLimits,
): Promise<unknown[]> {
  try {
    return await rpc.batch(calls, limits)
  } catch (error) {
    if (!(error instanceof NoBatchError)) throw error
  }
  const results: unknown[] = []
  for (const [method, params] of calls) results.push(await rpc.call(method, params, limits))
  return results
}

/** A JSON-RPC error for one call; undefined where the text is none. */
function findRefusal(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && 'error' in json ? json : undefined
  } catch {
    return undefined
  }
}

function resultOf({ id, method }: { id: number; method: string }, reply: unknown): unknown {
  if (typeof reply !== 'object' || reply === null) throw new Error(`${method}: no reply`)
  const error = errorOf(reply)
  if (error) throw isBusy(error) ? new NodeBusyError(method) : new JsonRpcRefusal(method, error)
  if (!isReplyTo({ id }, reply)) throw new Error(`${method}: the reply has another id`)
  if (!('result' in reply)) throw new Error(`${method}: the reply has no result`)
  return reply.result
}

/** Some send numbers back as text. */
const isReplyTo = ({ id }: { id: number }, reply: unknown): boolean =>
  String((reply as { id?: unknown } | null)?.id) === String(id)

type RpcError = { code?: unknown; message?: unknown }
const errorOf = (reply: unknown) => ((reply ?? {}) as { error?: RpcError | null }).error ?? undefined

function isContractFailure({ code, message }: RpcError): boolean {
  return code === REVERT_CODE || CONTRACT_FAILURES.some((words) => words.test(String(message)))
}

/** Never by the words of a contract, which a stranger has written. */
function isBusy(error: RpcError | undefined): boolean {
  if (!error || isContractFailure(error)) return false
  return error.code === TOO_MANY_REQUESTS || BUSY_WORDS.test(String(error.message))
}
