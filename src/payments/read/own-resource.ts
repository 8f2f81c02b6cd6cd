import type { PaidProduct } from '../../catalog/catalog.ts'
import { segmentName, segmentsOf } from '../../catalog/path.ts'
import { createRepeatCache } from '../../core/repeat-cache.ts'

/** Payments name the same few addresses over and over; those that are ours are remembered. */
const REMEMBERED = 2_000
const REMEMBERED_CHARS = 200
const OURS = {}

export type IsOwnResource = (url: string, product: PaidProduct) => boolean

export function createIsOwnResource(baseUrl: string): IsOwnResource {
  const own = createRepeatCache<string, typeof OURS>({ capacity: REMEMBERED })
  return (url, product) => {
    const name = `${product.id} ${url}`
    if (own.get(name)) return true
    const isOwn = isOwnResource(url, baseUrl, product)
    if (isOwn && name.length <= REMEMBERED_CHARS) own.set(name, OURS)
    return isOwn
  }
}

/**
 * A payment that names a resource must name this product at our address. The signature does not cover it, so this only
 * catches honest mistakes early; the claim in the ledger is what binds a payment to one request.
 */
function isOwnResource(url: string, baseUrl: string, product: PaidProduct): boolean {
  const base = URL.parse(baseUrl)
  const named = URL.parse(url)
  if (!base || !named || named.origin !== base.origin || named.username || named.password) return false
  const prefix = base.pathname.replace(/\/$/, '')
  if (!named.pathname.startsWith(`${prefix}/`)) return false
  const given = segmentsOf(named.pathname.slice(prefix.length))
  const aliases = (product.aliases ?? []).map((alias) => (typeof alias === 'string' ? alias : alias.path))
  return [product.path, ...aliases].some((path) => hasShape(given, segmentsOf(path)))
}

function hasShape(given: string[], segments: string[]): boolean {
  return (
    given.length === segments.length &&
    segments.every((segment, at) =>
      segmentName(segment) ? given[at] !== '' : segment.toLowerCase() === given[at]?.toLowerCase(),
    )
  )
}
