import { z } from 'zod'
import type { Catalog, Endpoint } from '../../catalog/catalog.ts'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { API_VERSION, descriptionOf, guidanceOf, LICENSE, NAME, SUMMARY } from '../about.ts'
import { docsUrl, urlOf } from '../address.ts'
import { keepUsed, toSchemas } from './component.ts'
import { failureResponses, failureSchemas, headerComponents } from './failures.ts'
import { securityOf, securitySchemes, toOperation } from './operation.ts'
import { steeringParameters } from './parameters.ts'

const OPENAPI_VERSION = '3.1.0'

const OpenApi = z.looseObject({
  openapi: z.literal(OPENAPI_VERSION),
  info: z.looseObject({
    title: z.literal(NAME),
    version: z.literal(API_VERSION),
    description: z.string().min(1).max(500),
  }),
  paths: z.record(z.string().startsWith('/'), z.looseObject({})),
})

export const openapi = defineDocument({
  id: 'document.openapi',
  path: '/openapi.json',
  aliases: ['/.well-known/openapi.json'],
  summary: 'API description',
  description: 'Every operation with its params, replies, failures and price, as OpenAPI 3.1.',
  renderings: [
    {
      mediaType: 'application/json',
      schema: OpenApi,
      // By far the largest document, and only programs read it: no indent.
      render: (site: Site) => JSON.stringify(toOpenApi(site)),
      example: () => ({
        openapi: OPENAPI_VERSION,
        info: { title: NAME, version: API_VERSION, description: SUMMARY },
        paths: {},
      }),
    },
  ],
})

function toOpenApi(site: Site): z.input<typeof OpenApi> {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of site.catalog.routes) {
    const item = paths[route.path] ?? {}
    item[route.method.toLowerCase()] = toOperation(site, route)
    paths[route.path] = item
  }
  return {
    openapi: OPENAPI_VERSION,
    info: infoOf(site),
    externalDocs: { url: docsUrl(site), description: 'Documentation' },
    servers: [{ url: site.baseUrl, description: site.mode }],
    tags: tagsOf(site.catalog),
    'x-agentcash-guidance': { llmsTxtUrl: urlOf(site, 'document.llms') },
    paths,
    components: { ...componentsOf(site, paths), ...usedSchemes(site.catalog) },
  }
}

function infoOf(site: Site) {
  return {
    title: NAME,
    version: API_VERSION,
    summary: SUMMARY,
    description: descriptionOf(site),
    contact: { name: NAME, email: site.contactEmail, url: urlOf(site, 'document.directory') },
    license: LICENSE,
    'x-guidance': guidanceOf(site),
    'x-logo': { url: urlOf(site, 'document.favicon') },
  }
}

function tagsOf({ groups }: Catalog) {
  return groups.map(({ tag, about }) => ({ name: tag, description: about }))
}

function componentsOf(site: Site, paths: object) {
  const replies = site.catalog.endpoints.flatMap((endpoint) => {
    const schema = schemaOf(endpoint)
    return schema ? [toSchemas(endpoint.id, schema)] : []
  })
  const all = {
    schemas: Object.assign({}, failureSchemas, ...replies) as Record<string, unknown>,
    responses: failureResponses(site),
    parameters: steeringParameters,
    headers: headerComponents,
  }
  return keepUsed(all, paths)
}

function schemaOf(endpoint: Endpoint): z.ZodType | undefined {
  if (endpoint.kind === 'product') return endpoint.response
  if (endpoint.kind === 'protocol') return endpoint.answer.schema
  return undefined
}

/** Security schemes are named, not pointed at, so they are kept by who uses them. */
function usedSchemes({ endpoints }: Catalog) {
  const named = new Set(endpoints.flatMap(securityOf).flatMap(Object.keys))
  const used = Object.entries(securitySchemes).filter(([name]) => named.has(name))
  return used.length > 0 ? { securitySchemes: Object.fromEntries(used) } : {}
}
