import type { AnyProduct } from '../../catalog/catalog.ts'
import type { Reply } from '../reply.ts'
import { findAccepted } from '../request/accepted.ts'
import type { Incoming } from '../request/incoming.ts'
import { type StreamPlace, toFrame } from './event-streams.ts'
import { EVENT_STREAM_HEAD } from './respond-stream.ts'
import type { Responder, ResponderPorts } from './responder.ts'

const EVENTS = 'text/event-stream'
type Pieces = NonNullable<AnyProduct['pieces']>

const OFFERED = ['application/json', EVENTS]

/** A reply that is there as a whole, as events for those who accept them: `{"piece"}` each, then the reply itself. */
export function respondInPieces(
  pieces: Pieces,
  respond: Responder,
  { streams, clientKey }: Pick<ResponderPorts, 'streams' | 'clientKey'>,
): Responder {
  return async (incoming) => {
    if (!wantsEvents(incoming)) {
      const reply = await respond(incoming)
      return { ...reply, headers: varied(reply) }
    }
    // Before the work: who has no place left costs nothing.
    const place = streams.take(clientKey(incoming.raw))
    try {
      const reply = await respond(incoming)
      if (reply.status === 200) return asEvents(reply, pieces, place)
      place.leave()
      return { ...reply, headers: varied(reply) }
    } catch (error) {
      place.leave()
      throw error
    }
  }
}

function asEvents(reply: Reply, pieces: Pieces, place: StreamPlace): Reply {
  const stream = place.open(({ send, end }) => {
    for (const piece of pieces(JSON.parse(reply.body))) send(toFrame(JSON.stringify({ piece })))
    send(toFrame(reply.body))
    end()
    return () => {}
  }, true)
  return { ...reply, headers: varied({ headers: EVENT_STREAM_HEAD }), body: '', bytes: 0, stream }
}

const varied = ({ headers }: Pick<Reply, 'headers'>) => [...headers, 'Vary', 'Accept']

const wantsEvents = ({ raw }: Incoming) => findAccepted(OFFERED, raw.headers.accept) === EVENTS
