import { checkEndpoint, checkLimits, checkNames, checkRoute, refuseTwice } from './checks.ts'
import type { Document, DocumentSet, Redirect } from './endpoints/document.ts'
import type { Alias, Method, ProductOf } from './endpoints/endpoint.ts'
import type { EventStream } from './endpoints/event-stream.ts'
import type { Page, Pixel } from './endpoints/page.ts'
import type { Protocol } from './endpoints/protocol.ts'
import type { DocumentGroup, EndpointOf, Group } from './group.ts'
import { type Path, shapeOf } from './path.ts'

type Tagged = { tag: string }
/** A product in the catalog. Nobody can call its handler from here: that takes services, see `handlers.ts`. */
export type AnyProduct = ProductOf<never> & Tagged
export type PaidProduct = AnyProduct & { access: { kind: 'paid' } }

/** An endpoint with the subject of its group. Documents are made from a context `C`. */
export type Endpoint<C = never> = AnyProduct | ((Visited | Document<C> | DocumentSet<C> | Redirect) & Tagged)
type Visited = Page<never> | Pixel<never> | EventStream<never> | Protocol<never>

/** One address of an endpoint: its own path or an alias, with the params that the address fixes. */
export type Route<C = never> = {
  method: Method
  path: Path
  preset: Readonly<Record<string, string>>
  endpoint: Endpoint<C>
}

export type Catalog<C = never> = {
  groups: readonly { tag: string; about: string }[]
  endpoints: readonly Endpoint<C>[]
  /** Every address, in the order of declaration, aliases after their own. */
  routes: readonly Route<C>[]
  products: readonly AnyProduct[]
  paid: readonly PaidProduct[]
}

/** Refuses what would make two surfaces disagree; it throws at start, never at a request. */
export function createCatalog<C = never>(groups: readonly (Group<never> | DocumentGroup<C>)[]): Catalog<C> {
  const endpoints = groups.flatMap(({ tag, endpoints }) =>
    (endpoints as readonly (EndpointOf<never> | Document<C> | DocumentSet<C>)[]).map(
      (endpoint): Endpoint<C> => ({ ...endpoint, tag }),
    ),
  )
  const routes = endpoints.flatMap((endpoint) => routesOf(endpoint))
  const products = endpoints.filter((endpoint) => endpoint.kind === 'product')
  refuseTwice(
    'tag',
    groups.map(({ tag }) => tag),
  )
  refuseTwice(
    'id',
    endpoints.map(({ id }) => id),
  )
  refuseTwice(
    'path',
    routes.map(({ method, path }) => `${method} ${shapeOf(path)}`),
  )
  refuseTwice(
    'tool',
    products.flatMap(({ tool }) => tool ?? []),
  )
  for (const { path, preset, endpoint } of routes) checkRoute(endpoint, path, preset)
  for (const endpoint of endpoints) checkEndpoint(endpoint)
  checkNames(routes.map(({ path }) => path))
  checkLimits(endpoints)
  const subjects = groups.map(({ tag, about }) => ({ tag, about }))
  return Object.freeze({ groups: subjects, endpoints, routes, products, paid: products.filter(isPaid) })
}

export function isPaid(endpoint: Endpoint): endpoint is PaidProduct {
  return endpoint.kind === 'product' && endpoint.access.kind === 'paid'
}

function routesOf<C>(endpoint: Endpoint<C>): Route<C>[] {
  const aliases: readonly Alias[] = endpoint.aliases ?? []
  return [endpoint.path, ...aliases].map((alias) => ({
    method: endpoint.method,
    path: typeof alias === 'string' ? alias : alias.path,
    preset: typeof alias === 'string' ? {} : alias.preset,
    endpoint,
  }))
}
