import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../core/service-error.ts'

/** A request as the responders see it. */
export type Incoming = {
  raw: IncomingMessage
  id: string
  method: string
  path: string
  query: URLSearchParams | undefined
  /** Text that the path carried for each param. */
  values: Readonly<Record<string, string>>
}

const ADDRESS_LIMIT = 2_048
const ID_TEXT = /^[\w.-]{1,64}$/

/** A caller's own request id is kept when it is harmless, so that both sides' logs can be matched. */
export function createRequestIds(bootId: string): (request: IncomingMessage) => string {
  let count = 0
  return (request) => {
    const given = request.headers['x-request-id']
    if (typeof given === 'string' && ID_TEXT.test(given)) return given
    count++
    return `${bootId}-${count.toString(36)}`
  }
}

/** Splits the request target; an absolute one (`GET http://host/path`) counts by its path. */
export function readTarget(url: string): { path: string; query: URLSearchParams | undefined } {
  if (url.length > ADDRESS_LIMIT)
    throw new ServiceError('address_too_long', `an address may have ${ADDRESS_LIMIT} characters`)
  const target = url.startsWith('/') || url === '*' ? url : fromAbsolute(url)
  const mark = target.indexOf('?')
  if (mark < 0) return { path: target, query: undefined }
  return { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark + 1)) }
}

function fromAbsolute(url: string): string {
  if (!URL.canParse(url))
    throw new ServiceError('bad_request', 'the request target is neither a path nor an address')
  const { pathname, search } = new URL(url)
  return pathname + search
}
