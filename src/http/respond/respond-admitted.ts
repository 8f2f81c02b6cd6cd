import type { Access } from '../../catalog/access.ts'
import type { Method } from '../../catalog/endpoints/endpoint.ts'
import { shorten } from '../../core/shorten.ts'
import { createAdmit } from './admit.ts'
import { respondOperator, type Steps } from './respond-operator.ts'
import type { Responder, ResponderPorts } from './responder.ts'

type Guarded = { id: string; method: Method; access: Access }

/** What is not for sale: the caller is let in first, then the request is read. */
export function respondAdmitted(
  endpoint: Guarded,
  ports: Pick<ResponderPorts, 'checks' | 'clientKey'>,
  steps: Steps,
): Responder {
  const { access } = endpoint
  if (access.kind === 'operator') return respondOperator({ ...endpoint, access }, ports, steps)
  const admit = createAdmit(endpoint, ports)
  return async (incoming) => {
    const caller = await admit(incoming.raw)
    const reply = await steps.make(await steps.read(incoming), caller, incoming)
    return 'wallet' in caller ? { ...reply, wallet: shorten(caller.wallet) } : reply
  }
}
