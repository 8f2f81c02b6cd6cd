import type { OperatorAccess } from '../../catalog/access.ts'
import type { Route } from '../../catalog/catalog.ts'
import { ServiceError } from '../../core/service-error.ts'
import { failureReply, type Reply, textReply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { respondOperator } from './respond-operator.ts'
import type { ResponderPorts } from './responder.ts'

type Ports = Pick<ResponderPorts, 'checks' | 'clientKey' | 'passOn'>

/** Operator routes are not for pages of other origins. */
export const isOfOperator = (route: Route | undefined): boolean => route?.endpoint.access.kind === 'operator'

/** A method that the address has no route for. Without a key the operator's addresses do not tell even which they have. */
export function respondOther(incoming: Incoming, ports: Ports): Reply | Promise<Reply> {
  const routes = [...incoming.target.routes.values()]
  const [first] = routes
  if (!first || !routes.every(isOfOperator)) return tellMethods(routes, incoming)
  if (ports.passOn) return ports.passOn(incoming)
  const { id, access } = first.endpoint
  // A GET in the eyes of the audit: nothing is done here.
  const guarded = { id, method: 'GET', access: access as OperatorAccess } as const
  const steps = { read: () => ({}), make: () => tellMethods(routes, incoming) }
  return respondOperator(guarded, ports, steps)(incoming)
}

/** OPTIONS asks for them; whatever else comes here is refused. */
export function tellMethods(
  routes: readonly Route[],
  { method, id }: Pick<Incoming, 'method' | 'id'>,
): Reply {
  const allow = allowOf(routes)
  if (method === 'OPTIONS') return textReply(200, '', ['Allow', allow])
  const refusal = new ServiceError('method_not_allowed', `this address offers ${allow}`, {
    hint: `call it with ${describeMethods(routes)}`,
  })
  const reply = failureReply(refusal, id)
  return { ...reply, headers: [...reply.headers, 'Allow', allow] }
}

export function allowOf(routes: readonly Route[]): string {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...methods, 'OPTIONS'].join(', ')
}

/** HEAD and OPTIONS answer too, but tell no data. */
function describeMethods(routes: readonly Route[]): string {
  return routes.map(({ method }) => method).join(' or ')
}
