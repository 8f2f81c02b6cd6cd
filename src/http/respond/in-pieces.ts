import type { AnyProduct } from '../../catalog/catalog.ts'
import type { Reply } from '../reply.ts'
import { findAccepted } from '../request/accepted.ts'
import type { Incoming } from '../request/incoming.ts'
import { EVENT_STREAM_HEAD } from './respond-stream.ts'
import type { Responder, ResponderPorts } from './responder.ts'

const EVENTS = 'text/event-stream'
const OFFERED = ['application/json', EVENTS]

/** A reply that is there as a whole, as events for those who accept them: `{"piece"}` each, then the reply itself. */
export function respondInPieces(
  pieces: NonNullable<AnyProduct['pieces']>,
  respond: Responder,
  { streams, clientKey }: Pick<ResponderPorts, 'streams' | 'clientKey'>,
): Responder {
  return async (incoming) => {
    const reply = await respond(incoming)
    if (!wantsEvents(incoming) || reply.status !== 200) return { ...reply, headers: varied(reply) }
    const events = async function* () {
      for (const piece of pieces(JSON.parse(reply.body))) yield JSON.stringify({ piece })
      yield reply.body
    }
    const stream = streams.open(clientKey(incoming.raw), events)
    return { ...reply, headers: varied({ headers: EVENT_STREAM_HEAD }), body: '', bytes: 0, stream }
  }
}

const varied = ({ headers }: Pick<Reply, 'headers'>) => [...headers, 'Vary', 'Accept']

const wantsEvents = ({ raw }: Incoming) => findAccepted(OFFERED, raw.headers.accept) === EVENTS
