import type { z } from 'zod'
import type { Access } from '../access.ts'
import type { Path } from '../path.ts'
import type { AnyParams, Asking, Description, MissingNames } from './endpoint.ts'
import { recordedOf } from './recorded-call.ts'

/** Who follows a stream. */
export type Listener<Event = unknown> = {
  /** An event that is told to many is one object: it is checked and encoded once, however many hear it. */
  hear(event: Event): void
  /** Nothing follows any more. */
  end(): void
}

type Streaming<S, Params extends z.ZodObject, Event extends z.ZodObject> = {
  /** What each event carries as its data. */
  event: Event
  /** Absent: the first event that `npm run examples` heard. */
  example?: z.input<Event>
  /** Tells the listener where things stand, and then every change until the returned function is called. */
  open: (services: S, params: z.output<Params>, listener: Listener<z.input<Event>>) => () => void
}

/** Server-sent events: data is pushed as it changes, over one long reply. */
export type EventStream<S> = Description & {
  kind: 'stream'
  method: 'GET'
  params: z.ZodObject
  sample: AnyParams
  event: z.ZodObject
  example: unknown
  open: (services: S, params: AnyParams, listener: Listener<object>) => () => void
}

export function defineEventStream<
  S,
  P extends Path,
  Params extends z.ZodObject,
  Event extends z.ZodObject,
  A extends Access,
>(
  stream: Description<P, A> & Asking<Params> & Streaming<S, Params, Event> & MissingNames<P, Params>,
): EventStream<S> {
  return { ...stream, ...recordedOf(stream), kind: 'stream', method: 'GET' } as unknown as EventStream<S>
}
