import type { Document, DocumentSet } from './endpoints/document.ts'
import type { EndpointOf } from './group.ts'
import { pathNames, shapeOf } from './path.ts'
import { PAYMENT_PARAM_NAMES } from './payment-params.ts'
import { checkLimit, type RateLimit } from './rate-limit.ts'

type Checked = EndpointOf<never> | Document<never> | DocumentSet<never>

const DESCRIPTION_LIMIT = 500
const MIN_DESCRIPTION = 20
const SUMMARY_LIMIT = 120

export function refuseTwice(what: string, values: readonly string[]): void {
  const seen = new Set<string>()
  for (const value of values) {
    if (seen.has(value)) throw new Error(`the catalog has the ${what} ${JSON.stringify(value)} twice`)
    seen.add(value)
  }
}

/** Every param of the main path must come from each alias too, by its own braces or its preset. */
export function checkRoute(endpoint: Checked, path: string, preset: object): void {
  if (!/^\/[\w.:{}/-]*$/.test(path))
    throw new Error(`${endpoint.id}: ${path} has a character no path of ours has`)
  const carried = [...pathNames(path), ...Object.keys(preset)].sort().join()
  const needed = pathNames(endpoint.path).sort().join()
  if (carried !== needed) throw new Error(`${endpoint.id}: ${path} carries {${carried}}, not {${needed}}`)
}

/** What one address calls `id` its other methods may not call otherwise: the value would be lost on its way. */
export function checkNames(paths: readonly string[]): void {
  const named = new Map<string, string>()
  for (const path of paths) {
    const names = pathNames(path).join()
    const other = named.get(shapeOf(path)) ?? names
    if (other !== names) throw new Error(`${path}: another method calls its params {${other}}`)
    named.set(shapeOf(path), names)
  }
}

/** Endpoints that share the name of a limit share its counter, so they must mean the same limit. */
export function checkLimits(
  endpoints: readonly { id: string; limit?: RateLimit; lookLimit?: RateLimit }[],
): void {
  const known = new Map<string, RateLimit>()
  const named = endpoints.flatMap(({ id, limit, lookLimit }) => [
    { id, limit },
    { id, limit: lookLimit },
  ])
  for (const { id, limit } of named) {
    if (!limit) continue
    const { calls, windowS, sells } = known.get(limit.name) ?? limit
    if (calls !== limit.calls || windowS !== limit.windowS || sells !== limit.sells)
      throw new Error(`${id}: the limit ${limit.name} is ${calls} calls in ${windowS} s elsewhere`)
    known.set(limit.name, limit)
  }
}

export function checkEndpoint(endpoint: Checked): void {
  checkText(endpoint)
  checkSale(endpoint)
  if (endpoint.limit) checkLimit(endpoint.limit)
  if ('lookLimit' in endpoint && endpoint.lookLimit) checkLimit(endpoint.lookLimit)
  if (endpoint.kind === 'product') checkExample(endpoint, 'response', endpoint.response)
  if (endpoint.kind === 'stream') checkExample(endpoint, 'event', endpoint.event)
  if (endpoint.kind === 'protocol') checkProtocol(endpoint)
  if ('params' in endpoint) checkSample(endpoint)
}

function checkText({ id, summary, description }: Checked): void {
  if (summary.length === 0 || summary.length > SUMMARY_LIMIT)
    throw new Error(`${id}: the summary needs 1 to ${SUMMARY_LIMIT} characters`)
  if (description.length < MIN_DESCRIPTION || description.length > DESCRIPTION_LIMIT)
    throw new Error(`${id}: the description needs ${MIN_DESCRIPTION} to ${DESCRIPTION_LIMIT} characters`)
}

/** The gate sells the reply of a GET, whole and as JSON. What a declaration says must have an effect. */
function checkSale(endpoint: Checked): void {
  const isJson = endpoint.kind === 'product'
  const isForSale = endpoint.access.kind === 'paid'
  if (isForSale && (!isJson || endpoint.method !== 'GET' || endpoint.caller))
    throw new Error(`${endpoint.id}: only a GET that answers with JSON and knows no caller can be paid`)
  if (ALWAYS_FREE.includes(endpoint.kind) && endpoint.access.kind !== 'free')
    throw new Error(`${endpoint.id}: a ${endpoint.kind} is free`)
  if (isJson && endpoint.caller && endpoint.changes)
    throw new Error(`${endpoint.id}: a reply that depends on the caller cannot be shared`)
  if (isJson && endpoint.freshForMs !== undefined && !isForSale)
    throw new Error(`${endpoint.id}: only what is sold has a freshness bound`)
  if (isJson && (endpoint.etag || endpoint.cacheControl !== undefined) && !isCacheable(endpoint))
    throw new Error(`${endpoint.id}: only a free GET that knows no caller can be cached`)
  if (isJson && endpoint.pieces && endpoint.access.kind !== 'free')
    throw new Error(`${endpoint.id}: only what is free comes in pieces`)
  if (isJson && endpoint.checkExists && !isForSale)
    throw new Error(`${endpoint.id}: only what is sold is looked up before it is handled`)
  if (isForSale && endpoint.limit && !endpoint.limit.sells)
    throw new Error(`${endpoint.id}: the limit of what is sold must say so, or a lost count stops sales`)
  if (isJson && endpoint.lookLimit && !endpoint.checkExists)
    throw new Error(`${endpoint.id}: only what is looked up has a limit for it`)
  const steering =
    isForSale && isJson ? PAYMENT_PARAM_NAMES.filter((name) => name in endpoint.params.shape) : []
  if (steering.length > 0) throw new Error(`${endpoint.id}: ${steering.join()} would never reach the product`)
  if (isJson && endpoint.paramsIn === 'body' && endpoint.method !== 'POST')
    throw new Error(`${endpoint.id}: only a POST has a body`)
}

const ALWAYS_FREE: readonly Checked['kind'][] = ['document', 'document_set', 'redirect', 'protocol']

const isCacheable = ({ access, method, caller }: Extract<Checked, { kind: 'product' }>) =>
  access.kind === 'free' && method === 'GET' && !caller

function checkProtocol({ id, method, message, answer }: Extract<Checked, { kind: 'protocol' }>): void {
  checkExample({ id, example: answer.example }, 'answer', answer.schema)
  if ((method === 'POST') !== (message !== undefined))
    throw new Error(`${id}: a POST carries a message, and nothing else does`)
  if (message) checkExample({ id, example: message.example }, 'message', message.schema)
}

type Shape = { safeParse(value: unknown): { success: boolean; error?: { message: string } } }

/** Nothing to check where nothing is recorded yet: the service must start for that. Tests want an example of everything. */
function checkExample({ id, example }: { id: string; example?: unknown }, what: string, shape: Shape): void {
  if (example === undefined) return
  const reply = shape.safeParse(example)
  if (!reply.success)
    throw new Error(
      `${id}: the example does not match the ${what}: ${reply.error?.message}. npm run examples makes it anew`,
    )
}

function checkSample({ id, params, sample }: { id: string; params: Shape; sample: unknown }): void {
  const parsed = params.safeParse(sample)
  if (!parsed.success)
    throw new Error(`${id}: the sample does not match the params: ${parsed.error?.message}`)
}
