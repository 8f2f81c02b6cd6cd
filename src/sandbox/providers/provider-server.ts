import type { Peer } from './peers.ts'
import type { Rest } from './reply.ts'

/** A simulated provider. The router mounts it below `/<name>`; paths here are without that prefix. */
export type ProviderServer = {
  rest: Rest
  /** Accepts a WebSocket at `path`; `undefined` where the provider has none. */
  socketAt(path: string): ((peer: Peer, url: URL) => void) | undefined
  pingEveryMs?: number
  close(): void
}

/** Knows no address. */
export const NOBODY: ProviderServer = { rest: () => undefined, socketAt: () => undefined, close() {} }
