import { type RateLimit, rateLimited } from '../../catalog/rate-limit.ts'
import { failureReply, type Reply } from '../reply.ts'
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
    const reply: Reply = count.isOver
      ? failureReply(rateLimited(limit, count), incoming.id)
      : await respond(incoming)
    return { ...reply, headers: [...reply.headers, ...told] }
  }
}
