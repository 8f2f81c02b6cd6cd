import type { Catalog, Route } from '../catalog/catalog.ts'
import { paramShapes } from '../catalog/json-schema.ts'
import { pathNames, segmentName, segmentsOf } from '../catalog/path.ts'
import { findNearest } from '../core/nearest.ts'

/** What a path that nothing answers was probably meant to be; one that ends with it has every letter right. */
export function createNearestRoute({ routes }: Catalog): (path: string) => Route | undefined {
  const open = routes.filter(({ endpoint }) => endpoint.access.kind !== 'operator')
  return (path) => {
    const plain = path.replace(/\/+/g, '/').replace(/(.)\/$/, '$1')
    const longer = plain.length > 1 && open.find((route) => route.path.endsWith(plain))
    if (longer) return longer
    const candidates = open.map((route) => alikeTo(route, plain))
    const nearest = findNearest(plain, candidates)
    return nearest === undefined ? undefined : open[candidates.indexOf(nearest)]
  }
}

/** A path with braces is as near as its fixed parts are. */
function alikeTo({ path }: Route, given: string): string {
  if (!path.includes('{')) return path
  const segments = segmentsOf(path)
  const givenSegments = segmentsOf(given)
  if (segments.length !== givenSegments.length) return path
  return `/${segments.map((segment, at) => (segmentName(segment) ? givenSegments[at] : segment)).join('/')}`
}

/** For a hint: `GET /btc/realtime-signal (params: coin)`. */
export function describeRoute({ method, path, preset, endpoint }: Route): string {
  const shapes = 'params' in endpoint ? paramShapes(endpoint.params, pathNames(path), preset) : []
  const names = shapes.filter((shape) => shape.in === 'query').map(({ name }) => name)
  return `${method} ${path}${names.length > 0 ? ` (params: ${names.join(', ')})` : ''}`
}
