import type { z } from 'zod'
import type { Access } from '../access.ts'
import type { Path } from '../path.ts'
import type { AnyParams, Asking, Description, MissingNames } from './endpoint.ts'

type Streaming<S, Params extends z.ZodObject, Event extends z.ZodType> = {
  /** What each event carries as its data. */
  event: Event
  example: z.input<Event>
  /** Yields until the signal aborts, which it does when the client has gone or the service stops. */
  open: (services: S, params: z.output<Params>, signal: AbortSignal) => AsyncIterable<z.input<Event>>
}

/** Server-sent events: data is pushed as it changes, over one long reply. */
export type EventStream<S> = Description & {
  kind: 'stream'
  method: 'GET'
  params: z.ZodObject
  sample: AnyParams
  event: z.ZodType
  example: unknown
  open: (services: S, params: AnyParams, signal: AbortSignal) => AsyncIterable<unknown>
}

export function defineEventStream<
  S,
  P extends Path,
  Params extends z.ZodObject,
  Event extends z.ZodType,
  A extends Access,
>(
  stream: Description<P, A> & Asking<Params> & Streaming<S, Params, Event> & MissingNames<P, Params>,
): EventStream<S> {
  return { ...stream, kind: 'stream', method: 'GET' } as unknown as EventStream<S>
}
