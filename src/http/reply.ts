import type { CallVia } from '../core/log.ts'
import { type FailureCode, problemTypeOf, ServiceError, statusOf, titleOf } from '../core/service-error.ts'
import { shorten } from '../core/shorten.ts'
import type { SignInCause } from '../core/sign-in-cause.ts'
import { brokenWhilePaying } from '../payments/gate/failures.ts'
import type { RefusalReason } from '../payments/gate/refusal.ts'
import { type HeaderList, JSON_TYPE, NO_STORE, PROBLEM_TYPE } from './headers.ts'
import { ValidationError } from './request/validation.ts'
import type { Stream } from './respond/event-streams.ts'

/** What goes back, before the headers that every reply has. */
export type Reply = {
  status: number
  headers: HeaderList
  body: string
  bytes: number
  /** Goes on after the head, in place of the body. */
  stream?: Stream
  /** For the log, where the access of the endpoint does not say it. */
  via?: CallVia
  payer?: string
  /** Why it failed. The detail stays out of the log: it may quote what a caller sent. */
  code?: FailureCode | RefusalReason | undefined
  /** Why a wallet was not let in, and which one, shortened; or which one was let in. */
  cause?: SignInCause | undefined
  wallet?: string | undefined
  /** Called once all of it has left. */
  onSent?: () => void
  /** Of a page, which may do more than a reply that is only data. */
  contentSecurityPolicy?: string
}

export function textReply(status: number, body: string, headers: HeaderList): Reply {
  return { status, headers, body, bytes: Buffer.byteLength(body) }
}

/** Everything that fails becomes a reply here: 422 as FastAPI clients know it, the rest as RFC 9457. */
export function failureReply(error: unknown, requestId: string, isPaying = false): Reply {
  if (error instanceof ValidationError) {
    const body = JSON.stringify({ detail: error.issues })
    return textReply(422, body, ['Content-Type', JSON_TYPE, 'Cache-Control', NO_STORE])
  }
  const told = error instanceof ServiceError ? error : isPaying ? brokenWhilePaying() : hidden
  return problemReply(told, requestId)
}

/** A bug shows a request id and nothing else. */
const hidden = new ServiceError('internal', 'the failure was recorded under this request id')

function problemReply({ code, message, hint, retryAfterS, unseen }: ServiceError, requestId: string): Reply {
  const body = JSON.stringify({
    type: problemTypeOf(code),
    title: titleOf(code),
    status: statusOf(code),
    detail: message,
    code,
    hint,
    request_id: requestId,
  })
  const headers = ['Content-Type', PROBLEM_TYPE, 'Cache-Control', NO_STORE]
  if (retryAfterS !== undefined) headers.push('Retry-After', String(retryAfterS))
  if (code === 'unauthorized') headers.push('WWW-Authenticate', 'Bearer realm="tollbook"')
  const reply = { ...textReply(statusOf(code), body, headers), code }
  if (!unseen) return reply
  const { cause, wallet } = unseen
  return { ...reply, cause, wallet: wallet === undefined ? undefined : shorten(wallet) }
}
