import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { AnyProduct } from '../catalog/catalog.ts'
import type { Rendering } from '../catalog/endpoints/document.ts'
import type { Site } from '../catalog/site.ts'
import type { McpCaller, McpPorts } from './surface.ts'

/** What helps to choose before paying, by id in the catalog; what the catalog lacks is left out. */
const DOCUMENTS = ['document.pricing_md', 'document.quickstart_md']
const PAGES = 'document.methodology_page'
const PRODUCTS = ['record.calibration']

type Kept = { resource: Resource; read: (caller: McpCaller) => string | Promise<string> }

export type Resources = {
  list: readonly Resource[]
  read(uri: string, caller: McpCaller): Promise<ReadResourceResult>
}

/** A resource is an address of ours, and reading it is a free GET of that address. */
export function createResources(ports: McpPorts, path: string): Resources {
  const { site } = ports
  const kept = site.catalog.endpoints.flatMap((endpoint): Kept[] => {
    if (endpoint.kind === 'document' && DOCUMENTS.includes(endpoint.id))
      return [keepRendering(site, endpoint, endpoint.renderings[0])]
    if (endpoint.kind === 'document_set' && endpoint.id === PAGES)
      return Object.entries(endpoint.pages).map(([page, rendering]) =>
        keepRendering(
          site,
          { ...endpoint, path: endpoint.path.replace('{page}', page), summary: `Methodology: ${page}` },
          rendering,
        ),
      )
    return endpoint.kind === 'product' && PRODUCTS.includes(endpoint.id)
      ? [keepProduct(ports, endpoint, path)]
      : []
  })
  const byUri = new Map(kept.map((each) => [each.resource.uri, each]))
  return {
    list: kept.map(({ resource }) => resource),
    async read(uri, caller) {
      const found = byUri.get(uri)
      if (!found) throw new ResourceNotFoundError(uri)
      const { mimeType } = found.resource
      return { contents: [{ uri, ...(mimeType && { mimeType }), text: await found.read(caller) }] }
    },
  }
}

type Named = { path: string; summary: string; description: string }

function resourceOf(site: Site, { path, summary, description }: Named, mimeType: string): Resource {
  return { uri: site.baseUrl + path, name: path.slice(1), title: summary, description, mimeType }
}

function keepRendering(site: Site, named: Named, { mediaType, render }: Rendering<Site>): Kept {
  const text = render(site)
  return { resource: resourceOf(site, named, mediaType), read: () => text }
}

function keepProduct({ site, callProduct }: McpPorts, product: AnyProduct, path: string): Kept {
  return {
    resource: resourceOf(site, product, 'application/json'),
    async read(caller) {
      const called = await callProduct({
        ...caller,
        product,
        address: () => product.path,
        payment: undefined,
        path,
      })
      if (called.kind === 'refused') throw new Error(`${product.id} is a resource and for sale`)
      return called.reply.text
    },
  }
}
