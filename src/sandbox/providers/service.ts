import type { Peer } from './peers.ts'
import type { Rest } from './reply.ts'

/** One provider of the simulated world, below the path `/<name>`. */
export type Service = {
  name: string
  rest: Rest
  /** Who takes a WebSocket that asks for `path`; `undefined` where there is none. */
  socketAt(path: string): ((peer: Peer, url: URL) => void) | undefined
  pingEveryMs?: number
  close(): void
}
