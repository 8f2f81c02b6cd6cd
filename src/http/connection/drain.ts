import type { Server } from 'node:http'

/** Longer than a buyer waits for the chain: whoever was charged is answered. */
const DRAIN_MS = 15_000
/** A connection whose last reply has left is of no use any more. */
const LOOK_EVERY_MS = 100

/**
 * From now on each connection ends with its next reply, in order: a reverse proxy that keeps connections open, and asks
 * nobody whether this process is ready, opens the next one where it finds somebody.
 */
export function retireConnections(server: Server): void {
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
  })
}

/** Lets requests under way finish, for a bounded time. */
export async function drain(server: Server): Promise<void> {
  retireConnections(server)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // Those that were busy a moment ago are kept open after their reply, and would take one request after another.
  const looking = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS)
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearInterval(looking)
  clearTimeout(cut)
}
