import { type Catalog, isPaid, type Route } from '../catalog/catalog.ts'
import { fillPath, type Path } from '../catalog/path.ts'
import type { Site } from '../catalog/site.ts'

/** Where the endpoint with this id answers. Throws at start: a document never points at nothing. */
export function pathOf(catalog: Catalog, id: string): Path {
  const path = findPath(catalog, id)
  if (path === undefined) throw new Error(`a document points at ${id}, which the catalog lacks`)
  return path
}

/** Pages are made for single visitors and name a dozen addresses each: a catalog is gone through once. */
const pathsOf = new WeakMap<Catalog, ReadonlyMap<string, Path>>()

export function findPath(catalog: Catalog, id: string): Path | undefined {
  let paths = pathsOf.get(catalog)
  if (!paths) {
    paths = new Map(catalog.endpoints.map((endpoint) => [endpoint.id, endpoint.path]))
    pathsOf.set(catalog, paths)
  }
  return paths.get(id)
}

export function urlOf(site: Site, id: string): string {
  return site.baseUrl + pathOf(site.catalog, id)
}

/** The page for people once there is one; until then the long text. */
export function docsUrl(site: Site): string {
  return findPath(site.catalog, 'document.docs')
    ? urlOf(site, 'document.docs')
    : urlOf(site, 'document.llms_full')
}

/** The reference of one subject; the whole of it where the subject has no page. */
export function subjectUrl(site: Site, page: string): string {
  const path = findPath(site.catalog, 'document.docs_page')
  return path ? site.baseUrl + fillPath(path, { page }) : docsUrl(site)
}

export function paidRoutes({ routes }: Catalog): readonly Route[] {
  return routes.filter(({ endpoint }) => isPaid(endpoint))
}

/** Addresses that anybody may try without money: operator addresses are not advertised. */
export function openRoutes({ routes }: Catalog): readonly Route[] {
  return routes.filter(({ endpoint }) => !['paid', 'operator'].includes(endpoint.access.kind))
}
