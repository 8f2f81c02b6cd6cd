import { type ClientReply, createClient } from './client.ts'
import type { World } from './world.ts'

export type Rpc = (body: unknown, headers?: Record<string, string>) => Promise<ClientReply>

/** Posts JSON, or a text as it stands, from a client address of its own. */
export function createRpc(world: World, path: string, localAddress?: string): Rpc {
  const client = createClient(world, localAddress)
  return (body, headers = {}) =>
    client(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
}
