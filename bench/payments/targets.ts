import { FACILITATORS, type FacilitatorKind } from './job.ts'

export const SERVERS = ['tollbook', 'x402-hono', 'x402-hono-lean', 'x402-express'] as const
export type ServerKind = (typeof SERVERS)[number]
export type ServerName = `${FacilitatorKind}/${ServerKind}`
export type TargetName = `${ServerName}/${'one' | 'many'}`
/** Paid calls to one server: one after the other, or from many connections at once. */
export type Target = { name: TargetName; server: ServerName; connections: number }

/** A chain on one core settles some tens of payments a second: more at once would only measure the queue. */
const ANVIL_CONNECTIONS_MAX = 8

/** The lean one only where nothing but the seller's software is measured. */
export function serverKinds(facilitator: FacilitatorKind): readonly ServerKind[] {
  return facilitator === 'instant' ? SERVERS : SERVERS.filter((kind) => kind !== 'x402-hono-lean')
}

export function targets({ connections }: { connections: number }): Target[] {
  return FACILITATORS.flatMap((facilitator) =>
    serverKinds(facilitator).flatMap((kind) => {
      const server = `${facilitator}/${kind}` as const
      const many = facilitator === 'anvil' ? Math.min(connections, ANVIL_CONNECTIONS_MAX) : connections
      return [
        { name: `${server}/one` as const, server, connections: 1 },
        { name: `${server}/many` as const, server, connections: many },
      ]
    }),
  )
}
