import { type RateLimit, rateLimited } from '../../catalog/rate-limit.ts'
import { ServiceError } from '../../core/service-error.ts'
import { failureReply, type Reply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { ValidationError } from '../request/validation.ts'
import type { Responder, ResponderPorts } from './responder.ts'

/** Counts every call before it is answered, and tells the client where it stands. */
export function limitRate(
  limit: RateLimit,
  respond: Responder,
  { counters, clientKey }: Pick<ResponderPorts, 'counters' | 'clientKey'>,
): Responder {
  const name = JSON.stringify(limit.name)
  const policy = `${name};q=${limit.calls};w=${limit.windowS}`
  return async (incoming) => {
    const count = await counters.take(limit, clientKey(incoming.raw))
    const told = ['RateLimit-Policy', policy, 'RateLimit', `${name};r=${count.remaining};t=${count.resetS}`]
    const reply = count.isOver
      ? failureReply(rateLimited(limit, count), incoming.id)
      : await respondOrRefuse(respond, incoming)
    return { ...reply, headers: [...reply.headers, ...told] }
  }
}

/** What is wrong with a request is told with the headers too; a bug goes on to where it is logged. */
async function respondOrRefuse(respond: Responder, incoming: Incoming): Promise<Reply> {
  try {
    return await respond(incoming)
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ValidationError)
      return failureReply(error, incoming.id)
    throw error
  }
}
