import { operator } from './access.ts'
import type { Document, DocumentSet, Redirect } from './endpoints/document.ts'
import type { ProductOf } from './endpoints/endpoint.ts'
import type { EventStream } from './endpoints/event-stream.ts'
import type { Page, Pixel } from './endpoints/page.ts'
import type { Protocol } from './endpoints/protocol.ts'
import type { Offering } from './offering.ts'

/** What a group may hold; `S` is what its handler needs. */
export type EndpointOf<S> = ProductOf<S> | Page<S> | Pixel<S> | EventStream<S> | Protocol<S> | Redirect

/** Endpoints about one subject, in the order documents list them, with the services that their handlers need. */
export type Group<S> = {
  /** Names the subject in documents. */
  tag: string
  about: string
  endpoints: readonly EndpointOf<S>[]
}

/** Descriptions of the service; `C` is what they are made of. */
export type DocumentGroup<C> = Omit<Group<never>, 'endpoints'> & {
  endpoints: readonly (Document<C> | DocumentSet<C>)[]
}

/** The group as one installation offers it. */
export function offeredBy<S>(offering: Offering, group: Group<S>): Group<S> {
  const endpoints = group.endpoints
    .filter(({ onlyWith }) => onlyWith === undefined || offering[onlyWith])
    .map((endpoint) => (isClosed(offering, endpoint) ? { ...endpoint, access: operator('read') } : endpoint))
  return { ...group, endpoints }
}

function isClosed<S>(offering: Offering, endpoint: EndpointOf<S>): endpoint is ProductOf<S> {
  return endpoint.kind === 'product' && endpoint.openWith !== undefined && !offering[endpoint.openWith]
}
