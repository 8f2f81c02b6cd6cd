import { ServiceError } from '../../core/service-error.ts'
import { parseJson } from '../request/read-body.ts'

export const BATCH_LIMIT = 20
/** An id comes back with the reply. */
export const ID_CHARS = 200

/** The messages of one body, or what is wrong with all of them. */
export type Batch = { isBatch: boolean; messages: readonly unknown[] } | { fault: RpcFault }
type RpcError = { code: number; message: string; data?: object }
export type RpcFault = RpcError & { status: number }

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

/** Each message of a batch needs an id of its own: of two replies with one id nobody could tell which is whose. */
export function readBatch(text: string): Batch {
  let body: unknown
  try {
    body = parseJson(text)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { fault: { status: 400, code: PARSE_ERROR, message: error.message } }
  }
  if (!Array.isArray(body)) return hasLongId(body) ? invalid(LONG_ID) : { isBatch: false, messages: [body] }
  if (body.length === 0) return invalid('the batch is empty')
  if (body.length > BATCH_LIMIT) return invalid(`a batch may have at most ${BATCH_LIMIT} messages`)
  if (body.some(hasLongId)) return invalid(LONG_ID)
  const ids = body.flatMap((message) => findId(message) ?? [])
  if (new Set(ids).size < ids.length) return invalid('two messages of the batch have the same id')
  return { isBatch: true, messages: body }
}

const invalid = (message: string): Batch => ({ fault: { status: 400, code: INVALID_REQUEST, message } })

const LONG_ID = `an id may have at most ${ID_CHARS} characters`
function hasLongId(message: unknown): boolean {
  const id = findId(message)
  return typeof id === 'string' && id.length > ID_CHARS
}

function findId(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined
}

/** A reply to a request that could not be read. */
export function faultReply({ code, message, data }: RpcError, id: unknown = null): object {
  return { jsonrpc: '2.0', id, error: { code, message, data } }
}
