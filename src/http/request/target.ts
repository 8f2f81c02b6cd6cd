import type { Route } from '../../catalog/catalog.ts'
import { deepFreeze } from '../../core/deep-freeze.ts'
import { createRepeatCache } from '../../core/repeat-cache.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Router } from '../router.ts'
import { loggedPath } from './logged-path.ts'

/** What a request's address means: the routes it names by method, and the text its path and query carry. */
export type Target = {
  path: string
  query: URLSearchParams | undefined
  /** The query as it came, without its question mark; empty where there is none. */
  rawQuery: string
  values: Readonly<Record<string, string>>
  routes: ReadonlyMap<string, Route>
  /** As the log keeps it. */
  logged: string
}

export const ADDRESS_LIMIT = 2_048
/** Callers ask for few addresses over and over; what each means is worked out once. */
const REMEMBERED = 2_000

export function createReadTarget(router: Router): (url: string) => Target {
  const remembered = createRepeatCache<string, Target>({ capacity: REMEMBERED })
  return (url) => {
    const known = remembered.get(url)
    if (known) return known
    const target = readTarget(router, url)
    remembered.set(url, target)
    return target
  }
}

/** Works something out once per address, for as long as the address is remembered. All calls share it, so it is frozen. */
export function perTarget<T>(make: (target: Target) => T): (target: Target) => T {
  const made = new WeakMap<Target, { value: T }>()
  return (target) => {
    const known = made.get(target)
    if (known) return known.value
    const value = deepFreeze(make(target))
    made.set(target, { value })
    return value
  }
}

const NO_ROUTES = new Map<string, Route>()

/** An absolute target (`GET http://host/path`) counts by its path. */
function readTarget(router: Router, url: string): Target {
  if (url.length > ADDRESS_LIMIT)
    throw new ServiceError('address_too_long', `an address may have ${ADDRESS_LIMIT} characters`)
  const text = url.startsWith('/') || url === '*' ? url : fromAbsolute(url)
  const mark = text.indexOf('?')
  const path = mark < 0 ? text : text.slice(0, mark)
  const rawQuery = mark < 0 ? '' : text.slice(mark + 1)
  const query = mark < 0 ? undefined : new URLSearchParams(rawQuery)
  const { routes = NO_ROUTES, values = {} } = router.find(path) ?? {}
  const [first] = routes.values()
  return { path, query, rawQuery, values, routes, logged: loggedPath(path, first?.path) }
}

function fromAbsolute(url: string): string {
  if (!URL.canParse(url))
    throw new ServiceError('bad_request', 'the request target is neither a path nor an address')
  const { pathname, search } = new URL(url)
  return pathname + search
}
