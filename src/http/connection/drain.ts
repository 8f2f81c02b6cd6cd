import type { Server } from 'node:http'
import { Server as TcpServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
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
/** A connection that was just made has its first request within this time, or is idle. An engine hands over no sooner. */
const FIRST_REQUEST_MS = 200
/** Somebody who never ceases to come must not keep the port open. */
const PORT_CLOSES_MS = 5_000
/** So long the port closes only when nobody has come for a while. */
const PATIENT_MS = 1_000
/** Longer than a proxy takes from one connection of several to the next. */
const QUIET_MS = 1
/** Of the event loop, where nobody is taken in and next to nothing is done. */
const SHORT_TURN_MS = 0.1

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
  const ended = Promise.withResolvers<void>()
  await closePort(server, ended.resolve)
  const idle = setTimeout(async () => {
    // This process may have slept past the time: what came meanwhile is read first.
    await nextTurn()
    closeIdle(server)
  }, FIRST_REQUEST_MS)
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await ended.promise
  clearTimeout(idle)
  clearTimeout(cut)
  // For what else it ends; that it does not listen any more is no error here.
  server.close(() => {})
}

/**
 * Connections that the loop has not taken when the port closes are reset, with the request that they have sent. A proxy
 * opens several at once: so the port closes when nobody has come for a moment, right after looking for them. A process
 * that has just woken is seldom put to sleep between the two, however busy the machine is; one that was looks again.
 */
async function closePort(server: Server, onEnd: () => void): Promise<void> {
  let hasCome = false
  const note = () => {
    hasCome = true
  }
  server.on('connection', note)
  const beganMs = performance.now()
  for (let isClosed = false; !isClosed; ) {
    hasCome = false
    await pause(QUIET_MS)
    let triedMs = performance.now() - beganMs
    // Where it sleeps so long that somebody always comes, they are taken in, and nobody may come in the turn after.
    while (hasCome && triedMs > PATIENT_MS && triedMs < PORT_CLOSES_MS) {
      hasCome = false
      await nextTurn()
      triedMs = performance.now() - beganMs
    }
    const wokenMs = performance.now()
    await nextTurn()
    const isQuiet = !hasCome && performance.now() - wokenMs < SHORT_TURN_MS
    isClosed = isQuiet || triedMs > PORT_CLOSES_MS
    // Its own `close` also ends what is idle at once, and with it a connection whose first request is on its way.
    if (isClosed) TcpServer.prototype.close.call(server, onEnd)
  }
  server.off('connection', note)
}
