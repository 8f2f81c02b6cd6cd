import { admitOperator } from '../../access/operator-check.ts'
import type { OperatorAccess } from '../../catalog/access.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { AnyParams, Method } from '../../catalog/endpoints/endpoint.ts'
import { failureReply, type Reply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { unchecked } from './admit.ts'
import type { Responder, ResponderPorts } from './responder.ts'

/** A call in two steps, once the caller is let in: nothing of its body is read before. */
export type Steps = {
  read(incoming: Incoming): AnyParams | Promise<AnyParams>
  make(params: AnyParams, caller: Caller, incoming: Incoming): Reply | Promise<Reply>
}
type Guarded = { id: string; method: Method; access: OperatorAccess }

/**
 * Key, scope, request, audit, work, in this order. A POST does something: its row is on disk before, and without the row
 * it does nothing. All else is noted once it is over.
 */
export function respondOperator(
  { id, method, access }: Guarded,
  { checks, clientKey }: Pick<ResponderPorts, 'checks' | 'clientKey'>,
  { read, make }: Steps,
): Responder {
  if (!checks.operator) throw unchecked(id, access.kind)
  const { identify, audit } = checks.operator
  return async (incoming) => {
    const { raw, id: requestId } = incoming
    const call = audit.open({ client: clientKey(raw), method: incoming.method, endpoint: id, requestId })
    try {
      const who = await identify(raw)
      call.by(who.key.id)
      const caller = admitOperator(who, access.scope)
      const params = await read(incoming)
      call.read(params)
      if (method === 'POST') await call.begin()
      const reply = await make(params, caller, incoming)
      await call.end(reply.status)
      return reply
    } catch (error) {
      await call.end(failureReply(error, requestId).status)
      throw error
    }
  }
}
