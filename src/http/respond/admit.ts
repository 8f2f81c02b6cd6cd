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
    case 'wallet': {
      const { wallet } = checks
      if (!wallet) throw unchecked(id, access.kind)
      return wallet
    }
    case 'payer': {
      const { payer } = checks
      if (!payer) throw unchecked(id, access.kind)
      return payer
    }
    case 'paid':
      throw new Error(`${id} is for sale: only the gate lets callers in`)
    case 'operator':
      throw new Error(`${id} is for the operator: nobody is let in without an audit`)
    default:
      throw unchecked(id, (access satisfies never as Access).kind)
  }
}

export const unchecked = (id: string, kind: string) =>
  new Error(`${id} needs ${kind} access, which HTTP cannot check here`)
