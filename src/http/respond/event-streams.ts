import type { ServerResponse } from 'node:http'
import { createPlaces, type PlaceLimits, type Whose } from '../../access/places.ts'
import type { Log } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS } from '../../core/time/time.ts'

/** A thousand viewers of the live dashboard, and as many others. A network, a /24 or a /48, has a tenth of them. */
const LIMITS: PlaceLimits = { client: 10, network: 200, all: 2_000 }
/** Proxies close what stays silent for a minute. */
const HEARTBEAT_MS = 15_000
/** A client is cut off when something has waited for it for this long, */
const STALLED_MS = 30_000
/** or when so much waits for it in this process. */
const MAX_WAITING_BYTES = 1024 * 1024
const RECONNECT_MS = 3_000
/** Clients connect again by themselves; a place that something else holds is free again after this long. */
const MAX_AGE_MS = HOUR_MS
/** A client that does not read the end of its stream is cut off after this long when the service stops, or it has left. */
const END_MS = 1_000

/** Where events go. Nothing happens any more once the stream has ended. */
export type Sink = {
  send(frame: Buffer): void
  end(): void
}
/** Starts to send; the returned function stops it. */
export type Events = (sink: Sink) => () => void
/** Sends events on a response whose head is sent, until the events, the client or the service end. */
export type Stream = (response: ServerResponse) => void
/** Held for a stream that is to begin. */
export type StreamPlace = {
  /** The place is free again when the stream has ended. `isReply`: it has an end that is waited for. */
  open(events: Events, isReply?: boolean): Stream
  /** Gives the place back where no stream was opened. */
  leave(): void
}
export type EventStreams = {
  /** Takes a place for one client, or throws. */
  take(client: string): StreamPlace
  /** Ends every stream, so that the server can close. */
  endAll(): void
}

/** One event as it is sent. JSON has no line breaks. */
export const toFrame = (json: string): Buffer => Buffer.from(`data: ${json}\n\n`)

const HELLO = Buffer.from(`retry: ${RECONNECT_MS}\n\n`)
const HEARTBEAT = Buffer.from(':\n\n')

type Opened = { openedMs: number; beat(): void; end(): void }
type Ports = { clock: Clock; log: Log }

export function createEventStreams({ clock, log }: Ports): EventStreams {
  const opened = new Set<Opened>()
  const places = createPlaces(LIMITS)
  let stopBeats = () => {}
  let isEnding = false

  const take = (client: string) => {
    const giveBack = places.take(client)
    if (typeof giveBack === 'string') throw full(giveBack)
    if (opened.size === 0) stopBeats = clock.every(HEARTBEAT_MS, beatAll)
    const leave = () => {
      giveBack()
      if (opened.delete(place) && opened.size === 0) stopBeats()
    }
    const place: Opened = { openedMs: clock.now(), beat() {}, end: leave }
    opened.add(place)
    return { place, leave }
  }
  const beatAll = () => {
    const tooOldMs = clock.now() - MAX_AGE_MS
    for (const place of opened) {
      if (place.openedMs <= tooOldMs) place.end()
      else place.beat()
    }
  }
  type Taken = ReturnType<typeof take>
  const begin = ({ place, leave }: Taken, events: Events, isReply: boolean, response: ServerResponse) => {
    const line = createLine(response, clock)
    let stop = () => {}
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      leave()
      stop()
      response.end()
      cutLater(response, clock, isEnding || hasEndedSide() ? END_MS : STALLED_MS)
    }
    // Of a stream he has left then; a reply is still sent to him.
    const hasEndedSide = () => !isReply && response.socket?.readableEnded === true
    const isGone = response.destroyed || response.closed
    if (isGone || (!isReply && (isEnding || hasEndedSide() || !opened.has(place)))) return end()
    Object.assign(place, { beat: line.beat, end })
    response.once('close', end)
    if (!isReply) response.socket?.once('end', end)
    line.send(HELLO)
    try {
      stop = events({ send: (frame) => void (isOver || line.send(frame)), end })
    } catch (err) {
      log.error({ err }, 'an event stream failed')
      end()
    }
    // Over before it could be stopped.
    if (isOver) stop()
  }
  return {
    take(client) {
      const taken = take(client)
      return {
        open: (events, isReply = false) => begin.bind(undefined, taken, events, isReply),
        leave: taken.leave,
      }
    },
    endAll() {
      isEnding = true
      for (const place of opened) place.end()
    },
  }
}

/** Unless the client has read the end by then. */
function cutLater(response: ServerResponse, clock: Clock, afterMs: number): void {
  if (response.closed) return
  response.once(
    'close',
    clock.after(afterMs, () => response.destroy()),
  )
}

const WHOSE = { client: ' from one client', network: ' from one network', all: '' }

function full(whose: Whose): ServiceError {
  const limit = `at most ${LIMITS[whose]} streams${WHOSE[whose]} at a time`
  return new ServiceError('rate_limited', limit, { hint: 'close one first' })
}

/** Writes what comes and cuts off who does not read. What waits for many is the same bytes, held once. */
function createLine(response: ServerResponse, clock: Clock) {
  let sentMs = clock.now()
  let waitingSinceMs: number | undefined
  const isStalled = (nowMs: number) => {
    const waiting = response.writableLength
    waitingSinceMs = waiting === 0 ? undefined : (waitingSinceMs ?? nowMs)
    return (
      waiting > MAX_WAITING_BYTES || (waitingSinceMs !== undefined && nowMs - waitingSinceMs >= STALLED_MS)
    )
  }
  const send = (frame: Buffer) => {
    if (response.destroyed) return
    const nowMs = clock.now()
    if (isStalled(nowMs)) return void response.destroy()
    sentMs = nowMs
    response.write(frame)
  }
  return {
    send,
    /** Keeps a quiet line open. */
    beat() {
      const nowMs = clock.now()
      if (nowMs - sentMs >= HEARTBEAT_MS) send(HEARTBEAT)
      else if (isStalled(nowMs)) response.destroy()
    },
  }
}
