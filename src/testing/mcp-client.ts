import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { World } from './world.ts'

/** The revisions with a handshake, and the one without. */
export const ERAS = ['legacy', { pin: '2026-07-28' }] as const
export type Era = (typeof ERAS)[number]
export const nameOf = (era: Era) => (era === 'legacy' ? 'with a handshake' : 'without a handshake')

/** The official client, connected. */
export async function connectMcp(
  world: Pick<World, 'url'>,
  era: Era = 'legacy',
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit: { headers } }),
  )
  return client
}
