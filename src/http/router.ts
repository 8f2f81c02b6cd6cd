import type { Catalog, Route } from '../catalog/catalog.ts'
import { segmentName, segmentsOf } from '../catalog/path.ts'

/** The routes of one address by method, and the text that its path carried for each param. */
export type Match = { routes: ReadonlyMap<string, Route>; values: Readonly<Record<string, string>> }
export type Router = { find(path: string): Match | undefined }

type Node = {
  routes: Map<string, Route>
  fixed: Map<string, Node>
  named: { name: string; node: Node } | undefined
}

const NO_VALUES = Object.freeze({})

/**
 * Matches exactly what the catalog says and nothing like it: no other casing, no doubled or encoded slashes, no
 * trailing slash. Fixed paths are one look-up; the others walk a tree.
 */
export function createRouter(catalog: Catalog): Router {
  const fixed = new Map<string, Match & { routes: Map<string, Route> }>()
  const root = emptyNode()
  for (const route of catalog.routes) {
    if (route.path.includes('{')) insert(root, route)
    else {
      const match = fixed.get(route.path) ?? { routes: new Map(), values: NO_VALUES }
      match.routes.set(route.method, route)
      fixed.set(route.path, match)
    }
  }
  return { find: (path) => fixed.get(path) ?? walk(root, path) }
}

function insert(root: Node, route: Route): void {
  let node = root
  for (const segment of segmentsOf(route.path)) {
    const name = segmentName(segment)
    if (name) node.named ??= { name, node: emptyNode() }
    else if (!node.fixed.has(segment)) node.fixed.set(segment, emptyNode())
    node = (name ? node.named?.node : node.fixed.get(segment)) as Node
  }
  node.routes.set(route.method, route)
}

function walk(root: Node, path: string): Match | undefined {
  let node = root
  const texts: string[] = []
  for (const segment of segmentsOf(path)) {
    const next = node.fixed.get(segment)
    if (next) node = next
    else if (node.named && segment !== '') {
      const text = findDecoded(segment)
      if (text === undefined) return undefined
      texts.push(text)
      node = node.named.node
    } else return undefined
  }
  return node.routes.size === 0 ? undefined : { routes: node.routes, values: nameValues(node.routes, texts) }
}

/** Names belong to the route, not to the tree: `/token/{address}` and `/token/{addr}/score` share a step. */
function nameValues(routes: ReadonlyMap<string, Route>, texts: readonly string[]): Record<string, string> {
  const [route] = routes.values()
  const names = segmentsOf(route?.path ?? '/').flatMap((segment) => segmentName(segment) ?? [])
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']))
}

function findDecoded(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const emptyNode = (): Node => ({ routes: new Map(), fixed: new Map(), named: undefined })
