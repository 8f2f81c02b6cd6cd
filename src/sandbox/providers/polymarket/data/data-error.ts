import { randomBytes } from 'node:crypto'
import { json, type Reply } from '../../reply.ts'

/** A request that the account data API refuses. */
export class DataError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'DataError'
    this.status = status
    this.code = code
  }
}

export function errorReply(error: unknown): Reply {
  if (!(error instanceof DataError)) throw error
  return json(error.status, {
    error: error.message,
    code: error.code,
    retryable: error.status >= 500,
    trace_id: randomBytes(16).toString('hex'),
  })
}
