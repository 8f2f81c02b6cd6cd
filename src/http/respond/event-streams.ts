import type { ServerResponse } from 'node:http'
import type { Log } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS } from '../../core/time/time.ts'

const MAX_STREAMS = 1_000
const MAX_PER_CLIENT = 10
/** Proxies close what stays silent for a minute. */
const HEARTBEAT_MS = 15_000
/** A client that has not read for this long is cut off. */
const STALLED_MS = 30_000
const RECONNECT_MS = 3_000
/** Clients connect again by themselves; a place that something else holds is free again after this long. */
const MAX_AGE_MS = HOUR_MS
/** When the service stops, a client that does not read its end is cut off after this long. */
const END_MS = 1_000

export type Events = (signal: AbortSignal) => AsyncIterable<string>
/** Writes events to a response whose head is sent, until the events, the client or the service end. */
export type Stream = (response: ServerResponse) => Promise<void>
export type EventStreams = {
  /** Takes a place for one client, or throws; the place is free again when the stream has ended. */
  open(client: string, events: Events): Stream
  /** Ends every stream, so that the server can close. */
  endAll(): void
}

export function createEventStreams({ clock, log }: { clock: Clock; log: Log }): EventStreams {
  const open = new Map<AbortController, string>()
  let isEnding = false
  return {
    open(client, events) {
      requirePlace([...open.values()], client)
      const end = new AbortController()
      open.set(end, client)
      return async (response) => {
        if (response.destroyed || response.closed) end.abort()
        response.once('close', () => end.abort())
        const stops = [
          clock.every(HEARTBEAT_MS, () => response.write(':\n\n')),
          clock.after(MAX_AGE_MS, () => end.abort()),
        ]
        try {
          if (end.signal.aborted) return
          response.write(`retry: ${RECONNECT_MS}\n\n`)
          await pump({ response, events: events(end.signal), signal: end.signal, clock })
        } catch (err) {
          log.error({ err }, 'an event stream failed')
        } finally {
          for (const stop of stops) stop()
          open.delete(end)
          response.end()
          if (isEnding) clock.after(END_MS, () => response.destroy())
        }
      }
    },
    endAll() {
      isEnding = true
      for (const end of open.keys()) end.abort()
    },
  }
}

function requirePlace(clients: readonly string[], client: string): void {
  const own = clients.filter((each) => each === client).length
  if (own < MAX_PER_CLIENT && clients.length < MAX_STREAMS) return
  const limit = own < MAX_PER_CLIENT ? `${MAX_STREAMS} streams` : `${MAX_PER_CLIENT} streams from one client`
  throw new ServiceError('rate_limited', `at most ${limit} at a time`, { hint: 'close one first' })
}

type Pump = { response: ServerResponse; events: AsyncIterable<string>; signal: AbortSignal; clock: Clock }

async function pump({ response, events, signal, clock }: Pump): Promise<void> {
  const iterator = events[Symbol.asyncIterator]()
  const aborted = new Promise<IteratorResult<string>>((done) => {
    const stop = () => done({ done: true, value: undefined })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted])
      if (next.done) return
      if (!response.write(`data: ${next.value}\n\n`) && !(await isRead(response, signal, clock))) return
    }
  } finally {
    // Not awaited: an iterator that waits for its next event answers only then.
    iterator.return?.().catch(() => {})
  }
}

/** False when the client reads nothing for too long; its connection is then cut. */
function isRead(response: ServerResponse, signal: AbortSignal, clock: Clock): Promise<boolean> {
  return new Promise((done) => {
    const finish = (wasRead: boolean) => {
      cancel()
      response.off('drain', drained)
      signal.removeEventListener('abort', gone)
      done(wasRead)
    }
    const drained = () => finish(true)
    const gone = () => finish(false)
    const cancel = clock.after(STALLED_MS, () => {
      finish(false)
      response.destroy()
    })
    response.once('drain', drained)
    signal.addEventListener('abort', gone, { once: true })
  })
}
