import type { Endpoint, Route } from '../../catalog/catalog.ts'
import { findHandler } from '../../catalog/handlers.ts'
import type { Log } from '../../core/log.ts'
import { NO_STORE } from '../headers.ts'
import { createReadRoute } from '../request/read-params.ts'
import { toFrame } from './event-streams.ts'
import { respondAdmitted } from './respond-admitted.ts'
import type { Responder, ResponderPorts } from './responder.ts'

type StreamEndpoint = Extract<Endpoint, { kind: 'stream' }>

export const EVENT_STREAM_HEAD = [
  ...['Content-Type', 'text/event-stream'],
  ...['Cache-Control', NO_STORE],
  // So that nginx hands events on one by one.
  ...['X-Accel-Buffering', 'no'],
  // So that a stream that ends leaves no idle connection that a stopping server would wait for.
  ...['Connection', 'close'],
]

export function respondStream(route: Route, endpoint: StreamEndpoint, ports: ResponderPorts): Responder {
  const open = findHandler(ports.handlers.streams, endpoint.id)
  const read = createReadRoute(route, endpoint)
  const encode = createEncode(endpoint, ports.log)
  return respondAdmitted(endpoint, ports, {
    read: ({ target }) => read(target.values, target.query),
    make(params, { client }, { method }) {
      const reply = { status: 200, headers: EVENT_STREAM_HEAD, body: '', bytes: 0 }
      if (method === 'HEAD') return { ...reply, stream: () => {} }
      const stream = ports.streams.take(client).open(({ send, end }) => {
        const hear = (event: object) => {
          const frame = encode(event)
          if (frame) send(frame)
          else end()
        }
        return open(params, { hear, end })
      })
      return { ...reply, stream }
    },
  })
}

/** One event is checked and encoded once, for all who hear it; undefined, and logged once, where it breaks its schema. */
function createEncode(
  { id, event: schema }: StreamEndpoint,
  log: Log,
): (event: object) => Buffer | undefined {
  const frames = new WeakMap<object, Buffer | undefined>()
  return (event) => {
    if (frames.has(event)) return frames.get(event)
    const frame = makeFrame(schema, event, (err) =>
      log.error({ err, stream: id }, 'an event could not be made'),
    )
    frames.set(event, frame)
    return frame
  }
}

/** Whoever tells many must not stop at one. */
function makeFrame(
  schema: StreamEndpoint['event'],
  event: object,
  onFault: (err: unknown) => void,
): Buffer | undefined {
  try {
    return toFrame(JSON.stringify(schema.parse(event)))
  } catch (err) {
    onFault(err)
    return undefined
  }
}
