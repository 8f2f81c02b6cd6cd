import type { Endpoint } from '../../catalog/catalog.ts'
import { findHandler } from '../../catalog/handlers.ts'
import { textReply } from '../reply.ts'
import { readJsonText } from '../request/read-body.ts'
import type { Responder, ResponderPorts } from './responder.ts'

/** A payment of a contract wallet may have 12 KB, and a batch holds twenty. */
const BODY_LIMIT_BYTES = 262_144

/** Hands the request on as it came: what it means is for the protocol to say. */
export function respondProtocol(
  { id, method }: Extract<Endpoint, { kind: 'protocol' }>,
  ports: Pick<ResponderPorts, 'handlers' | 'clientKey'>,
): Responder {
  const handle = findHandler(ports.handlers.protocols, id)
  return async (incoming) => {
    const { raw, target, id: requestId } = incoming
    // Asked now: a request whose body is refused loses its socket.
    const client = ports.clientKey(raw)
    const { status, headers, body } = await handle({
      method: incoming.method,
      headers: raw.headers,
      values: target.values,
      query: target.query ?? new URLSearchParams(),
      body: method === 'POST' ? await readJsonText(raw, BODY_LIMIT_BYTES) : '',
      client,
      requestId,
    })
    return textReply(status, body, headers)
  }
}
