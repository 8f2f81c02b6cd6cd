import { type Catalog, isPaid, type Route } from '../catalog/catalog.ts'
import type { Path } from '../catalog/path.ts'
import type { Site } from '../catalog/site.ts'

/** Where the endpoint with this id answers. Throws at start: a document never points at nothing. */
export function pathOf(catalog: Catalog, id: string): Path {
  const path = findPath(catalog, id)
  if (path === undefined) throw new Error(`a document points at ${id}, which the catalog lacks`)
  return path
}

export function findPath(catalog: Catalog, id: string): Path | undefined {
  return catalog.endpoints.find((endpoint) => endpoint.id === id)?.path
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

export function paidRoutes({ routes }: Catalog): readonly Route[] {
  return routes.filter(({ endpoint }) => isPaid(endpoint))
}

/** Addresses that anybody may try without money: operator addresses are not advertised. */
export function openRoutes({ routes }: Catalog): readonly Route[] {
  return routes.filter(({ endpoint }) => !['paid', 'operator'].includes(endpoint.access.kind))
}
