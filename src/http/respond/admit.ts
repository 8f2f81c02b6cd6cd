import type { IncomingMessage } from 'node:http'
import type { Access } from '../../catalog/access.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { ResponderPorts } from './responder.ts'

/** Lets a caller in or throws. */
export type Admit = (request: IncomingMessage) => Caller | Promise<Caller>

type Guarded = { id: string; access: Access }

/** By the access of the endpoint. What nothing here can check stops the start: nothing is open by default. */
export function createAdmit(
  { id, access }: Guarded,
  ports: Pick<ResponderPorts, 'checks' | 'clientKey'>,
): Admit {
  const { checks, clientKey } = ports
  switch (access.kind) {
    case 'free':
      return (request) => ({ kind: 'free', client: clientKey(request) })
    case 'operator': {
      const { operator } = checks
      if (!operator) throw unchecked(id, access.kind)
      return (request) => operator(request, access.scope)
    }
    case 'wallet': {
      const { wallet } = checks
      if (!wallet) throw unchecked(id, access.kind)
      return wallet
    }
    case 'paid':
      throw new Error(`${id} is for sale: only the gate lets callers in`)
    default:
      throw unchecked(id, (access satisfies never as Access).kind)
  }
}

const unchecked = (id: string, kind: string) =>
  new Error(`${id} needs ${kind} access, which HTTP cannot check here`)
