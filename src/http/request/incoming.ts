import type { IncomingMessage } from 'node:http'
import type { Target } from './target.ts'

/** A request as the responders see it. */
export type Incoming = { raw: IncomingMessage; id: string; method: string; target: Target }

/** Of our own operator's keys, and of private keys without their 0x: replies and logs keep an id whole. */
const SECRET_TEXT = /tbk_|^[0-9a-f]{64}$/i
const ID_TEXT = /^[\w.-]{1,64}$/

/** A caller's own request id is kept when it is harmless, so that both sides' logs can be matched. */
export function createRequestIds(bootId: string): (request: IncomingMessage) => string {
  let count = 0
  return (request) => {
    const given = request.headers['x-request-id']
    if (typeof given === 'string' && ID_TEXT.test(given) && !SECRET_TEXT.test(given)) return given
    count++
    return `${bootId}-${count.toString(36)}`
  }
}
