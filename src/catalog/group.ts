import type { Mode } from '../config/variables/variable.ts'
import type { Document, Redirect } from './endpoints/document.ts'
import type { ProductOf } from './endpoints/endpoint.ts'
import type { EventStream } from './endpoints/event-stream.ts'
import type { Page, Pixel } from './endpoints/page.ts'

/** What a group may hold; `S` is what its handler needs. */
export type EndpointOf<S> = ProductOf<S> | Page<S> | Pixel<S> | EventStream<S> | Redirect

/** Endpoints about one subject, in the order documents list them, with the services that their handlers need. */
export type Group<S> = {
  /** Names the subject in documents. */
  tag: string
  about: string
  endpoints: readonly EndpointOf<S>[]
}

/** Descriptions of the service; `C` is what they are made of. */
export type DocumentGroup<C> = Omit<Group<never>, 'endpoints'> & { endpoints: readonly Document<C>[] }

/** The group as one mode offers it. */
export function offeredIn<S>(mode: Mode, group: Group<S>): Group<S> {
  return { ...group, endpoints: group.endpoints.filter(({ modes }) => modes?.includes(mode) ?? true) }
}
