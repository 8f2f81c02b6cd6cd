import type { ServerResponse } from 'node:http'
import type { Clock } from '../../core/time/clock.ts'

const LOOK_MS = 5_000
/**
 * Half a minute, as for event streams. A piece of 64 KiB in that time is 2 KB a second, which the slowest mobile line
 * brings; lines that stall at a change of cell come back in less.
 */
const QUIET_LOOKS = 6
/** Of all replies that are not taken yet. Beyond it who took nothing between two looks is cut off. */
export const MAX_UNTAKEN_BYTES = 128 * 1024 * 1024

type Seen = { bytes: number; taken: number; quiet: number }

/** Cuts off who does not read: the returned function is told of replies that the system did not take at once. */
export function createReplyWatch(
  clock: Pick<Clock, 'every'>,
  onCutOff: () => void,
): (response: ServerResponse, bytes: number) => void {
  const watched = new Map<ServerResponse, Seen>()
  let untakenBytes = 0
  let stopLooking = () => {}
  const look = () => {
    for (const [response, seen] of watched) {
      const taken = takenOf(response)
      seen.quiet = taken === seen.taken ? seen.quiet + 1 : 0
      seen.taken = taken
      if (seen.quiet < (untakenBytes > MAX_UNTAKEN_BYTES ? 1 : QUIET_LOOKS)) continue
      onCutOff()
      forget(response)
      response.destroy()
    }
  }
  const forget = (response: ServerResponse) => {
    untakenBytes -= watched.get(response)?.bytes ?? 0
    if (watched.delete(response) && watched.size === 0) stopLooking()
  }
  return (response, bytes) => {
    if (response.destroyed) return
    if (watched.size === 0) stopLooking = clock.every(LOOK_MS, look)
    watched.set(response, { bytes, taken: takenOf(response), quiet: 0 })
    untakenBytes += bytes
    response.once('close', () => forget(response))
  }
}

/** Bytes of this connection that have left the process, in whole pieces. */
const takenOf = ({ socket }: ServerResponse) => (socket ? socket.bytesWritten - socket.writableLength : 0)
