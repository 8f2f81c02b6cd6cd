import type { Endpoint, Route } from '../../catalog/catalog.ts'
import { findHandler } from '../../catalog/handlers.ts'
import { NO_STORE } from '../headers.ts'
import { createReadRoute } from '../request/read-params.ts'
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
  return respondAdmitted(endpoint, ports, {
    read: ({ target }) => read(target.values, target.query),
    make(params, { client }, { method }) {
      const reply = { status: 200, headers: EVENT_STREAM_HEAD, body: '', bytes: 0 }
      if (method === 'HEAD') return { ...reply, stream: async () => {} }
      const events = async function* (signal: AbortSignal) {
        for await (const event of open(params, signal)) yield JSON.stringify(endpoint.event.parse(event))
      }
      return { ...reply, stream: ports.streams.open(client, events) }
    },
  })
}
