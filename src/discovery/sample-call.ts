import type { Access } from '../catalog/access.ts'
import type { Route } from '../catalog/catalog.ts'
import type { Placeholders } from '../catalog/endpoints/endpoint.ts'
import { type ParamShape, paramShapes } from '../catalog/json-schema.ts'
import { fillPath, pathNames } from '../catalog/path.ts'
import type { Site } from '../catalog/site.ts'

export type Param = ParamShape | (Omit<ParamShape, 'in'> & { in: 'body' })

/** What a caller sends to this address. */
export function paramsOf({ endpoint, path, preset }: Route): Param[] {
  if (!('params' in endpoint)) return []
  const isPosted = endpoint.kind === 'product' && endpoint.paramsIn === 'body'
  return paramShapes(endpoint.params, pathNames(path), preset).map((shape) =>
    isPosted && shape.in === 'query' ? { ...shape, in: 'body' as const } : shape,
  )
}

export function sampleOf({ endpoint }: Route): Record<string, unknown> {
  return 'sample' in endpoint ? endpoint.sample : {}
}

/** What a command shows: the sample, with capitals in place of what only its caller has. */
export function shownSampleOf(route: Route): Record<string, unknown> {
  return { ...sampleOf(route), ...placeholdersOf(route)?.values }
}

export function placeholdersOf({ endpoint }: Route): Placeholders | undefined {
  return 'placeholders' in endpoint ? endpoint.placeholders : undefined
}

/** The shortest address that answers: params in the path filled in, and in the query only what must be there. */
export function resourceUrl(site: Site, route: Route): string {
  return addressOf(site, route, (param) => param.required)
}

/** The address that the example reply belongs to. */
export function sampleUrl(site: Site, route: Route): string {
  return addressOf(site, route, () => true)
}

/** Whether a reader who follows the address of this route finds something: without a wallet there is only a 401. */
export function canBeFollowed(route: Route): boolean {
  const { kind } = route.endpoint.access
  return (kind === 'free' || kind === 'paid') && route.method === 'GET' && !placeholdersOf(route)
}

/** What a reader puts into the shell first: a key, the token of a sign-in, or a proof signed for this one call. */
const CREDENTIALS: Partial<Record<Access['kind'], { header: string; from: string }>> = {
  operator: { header: 'authorization: Bearer $KEY', from: 'Set `KEY` to a key of the operator first.' },
  wallet: {
    header: 'authorization: Bearer $TOKEN',
    from: 'Set `TOKEN` to the token of your sign-in first: /auth/verify gives one.',
  },
  payer: {
    header: 'sign-in-with-x: $PROOF',
    from: 'Set `PROOF` to a proof that your wallet signed for this call first: /account/sign-in says how.',
  },
}

/** What to do before the command works as it stands: nothing where it does already. */
export function beforeCall(route: Route): string {
  const credential = CREDENTIALS[route.endpoint.access.kind]?.from
  return [credential, placeholdersOf(route)?.from].filter((part) => part !== undefined).join(' ')
}

export function curlOf(site: Site, route: Route): string {
  const url = sampleUrl(site, route)
  const quoted = /[?&]/.test(url) ? `'${url}'` : url
  const credential = CREDENTIALS[route.endpoint.access.kind]
  const key = credential ? ` -H "${credential.header}"` : ''
  if (route.method === 'GET') return `curl -i ${quoted}${key}`
  const posted = messageOf(route) ?? pick(route, 'body', () => true)
  const isEmpty = route.endpoint.kind !== 'protocol' && Object.keys(posted).length === 0
  if (isEmpty) return `curl -i -X ${route.method} ${quoted}${key}`
  const body = JSON.stringify(posted).replaceAll("'", "'\\''")
  return `curl -i -X ${route.method} ${quoted}${key} -H 'content-type: application/json' -d '${body}'`
}

/** What a protocol is spoken with. */
function messageOf({ endpoint }: Route): object | undefined {
  return endpoint.kind === 'protocol' ? (endpoint.message?.example as object | undefined) : undefined
}

function addressOf(site: Site, route: Route, isWanted: (param: Param) => boolean): string {
  const query = new URLSearchParams(
    Object.entries(pick(route, 'query', isWanted)).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  ).toString()
  return site.baseUrl + fillPath(route.path, shownSampleOf(route)) + (query && `?${query}`)
}

function pick(route: Route, place: Param['in'], isWanted: (param: Param) => boolean) {
  const sample = shownSampleOf(route)
  const wanted = paramsOf(route).filter((param) => param.in === place && isWanted(param))
  return Object.fromEntries(
    wanted.flatMap(({ name }) => (sample[name] === undefined ? [] : [[name, sample[name]]])),
  )
}
