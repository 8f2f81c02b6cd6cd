import type { Document, Redirect } from './document.ts'
import type { Alias, AnyProduct, Method } from './endpoint.ts'
import { type Path, pathNames, shapeOf } from './path.ts'

export type Endpoint = AnyProduct | Document | Redirect
/** One address of an endpoint: its own path or an alias, with the params that the address fixes. */
export type Route = {
  method: Method
  path: Path
  preset: Readonly<Record<string, string>>
  endpoint: Endpoint
}

export type Catalog = {
  endpoints: readonly Endpoint[]
  /** Every address, in the order of declaration, aliases after their own. */
  routes: readonly Route[]
  products: readonly AnyProduct[]
  paid: readonly PaidProduct[]
}
export type PaidProduct = AnyProduct & { access: { kind: 'paid' } }

const DESCRIPTION_LIMIT = 500
const MIN_DESCRIPTION = 20

/** Refuses what would make two surfaces disagree; it throws at start, never at a request. */
export function createCatalog(endpoints: readonly Endpoint[]): Catalog {
  const routes = endpoints.flatMap(routesOf)
  const products = endpoints.filter((endpoint) => endpoint.kind === 'product')
  refuseTwice(
    'id',
    endpoints.map((endpoint) => endpoint.id),
  )
  refuseTwice(
    'path',
    routes.map((route) => `${route.method} ${shapeOf(route.path)}`),
  )
  refuseTwice(
    'tool',
    products.flatMap((product) => product.tool ?? []),
  )
  for (const route of routes) checkRoute(route)
  for (const endpoint of endpoints) checkText(endpoint)
  for (const product of products) checkExample(product)
  return Object.freeze({ endpoints, routes, products, paid: products.filter(isPaid) })
}

export function isPaid(endpoint: Endpoint): endpoint is PaidProduct {
  return endpoint.access.kind === 'paid'
}

function routesOf(endpoint: Endpoint): Route[] {
  const aliases: readonly Alias[] = endpoint.aliases ?? []
  return [endpoint.path, ...aliases].map((alias) => ({
    method: endpoint.method,
    path: typeof alias === 'string' ? alias : alias.path,
    preset: typeof alias === 'string' ? {} : alias.preset,
    endpoint,
  }))
}

function refuseTwice(what: string, values: readonly string[]): void {
  const seen = new Set<string>()
  for (const value of values) {
    if (seen.has(value)) throw new Error(`the catalog has the ${what} ${JSON.stringify(value)} twice`)
    seen.add(value)
  }
}

/** Every param of the main path must come from each alias too, by its own braces or its preset. */
function checkRoute({ path, preset, endpoint }: Route): void {
  if (!/^\/[\w.{}/-]*$/.test(path))
    throw new Error(`${endpoint.id}: ${path} has a character no path of ours has`)
  const carried = [...pathNames(path), ...Object.keys(preset)].sort().join()
  const needed = pathNames(endpoint.path).sort().join()
  if (carried !== needed) throw new Error(`${endpoint.id}: ${path} carries {${carried}}, not {${needed}}`)
}

function checkText({ id, summary, description }: Endpoint): void {
  if (summary.length === 0 || summary.length > 120)
    throw new Error(`${id}: the summary needs 1 to 120 characters`)
  if (description.length < MIN_DESCRIPTION || description.length > DESCRIPTION_LIMIT)
    throw new Error(`${id}: the description needs ${MIN_DESCRIPTION} to ${DESCRIPTION_LIMIT} characters`)
}

function checkExample(product: AnyProduct): void {
  const reply = product.response.safeParse(product.example)
  if (!reply.success)
    throw new Error(`${product.id}: the example does not match the response: ${reply.error.message}`)
  const sample = product.params.safeParse(product.sample)
  if (!sample.success)
    throw new Error(`${product.id}: the sample does not match the params: ${sample.error.message}`)
}
