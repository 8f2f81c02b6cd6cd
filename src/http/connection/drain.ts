import type { Server } from 'node:http'
import { Server as TcpServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { closeIdle } from './idle-connections.ts'

/**
 * A sale with a slow facilitator and a slow chain ends within it: about 10 s to check, 12 s to settle and ask the chain,
 * 5 s for the last look. It is no promise: where a second facilitator or the ledger is slow too, or a reader, a buyer
 * who was charged is cut. His payment, sent again here or to another process, fetches the reply and moves nothing twice.
 * What stops after this has the rest of the 45 s that `serve` gives a stop.
 */
const DRAIN_MS = 30_000
/** A connection whose last reply has left is of no use any more. */
const KEPT_OPEN_MS = 100
/** A connection that was just made has its first request within this time, or is idle. */
const FIRST_REQUEST_MS = 200
/** Somebody who never ceases to come must not keep the port open. */
const TURNS_MAX = 1_000

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
  // Those that are busy now would be kept open after their reply. They end once that has left whole.
  server.keepAliveTimeout = KEPT_OPEN_MS
  server.keepAliveTimeoutBuffer = 0
  await untilNobodyWaits(server)
  // Its own `close` also ends what is idle at once, and with it a connection whose first request is on its way.
  const closed = new Promise<void>((resolve) => {
    TcpServer.prototype.close.call(server, () => resolve())
  })
  const idle = setTimeout(() => closeIdle(server), FIRST_REQUEST_MS)
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(idle)
  clearTimeout(cut)
  // For what else it ends; that it does not listen any more is no error here.
  server.close(() => {})
}

/**
 * The loop takes one connection in each of its turns. Those that still wait when the port closes are reset, with the
 * request that they have sent: so it closes in a turn in which nobody waited.
 */
async function untilNobodyWaits(server: Server): Promise<void> {
  let hasCome = true
  const note = () => {
    hasCome = true
  }
  server.on('connection', note)
  await nextTurn()
  for (let turn = 0; hasCome && turn < TURNS_MAX; turn++) {
    hasCome = false
    await nextTurn()
  }
  server.off('connection', note)
}
