import { z } from 'zod'
import { isPaid, type Route } from '../catalog/catalog.ts'
import { defineDocument } from '../catalog/endpoints/document.ts'
import type { Site } from '../catalog/site.ts'
import { API_VERSION, chainName, descriptionOf, NAME, PAYING_STEPS, SDK } from './about.ts'
import { docsUrl, openRoutes, paidRoutes, urlOf } from './address.ts'
import { llmsText } from './agents/llms.ts'
import { json, markdown } from './json-document.ts'
import { priceOf, waysToPay } from './prices/price.ts'
import { curlOf } from './sample-call.ts'

const Directory = z.object({
  name: z.string().min(1),
  version: z.string().min(1),
  description: z.string().min(1),
  docs: z.url(),
  quickstart: z.url(),
  endpoints: z.object({
    free: z.record(z.string(), z.string()),
    paid: z.record(z.string(), z.object({ price_usdc: z.number().min(0), description: z.string().min(1) })),
  }),
  x402_protocol: z.object({
    how_it_works: z.array(z.string().min(1)).min(1),
    supported_chains: z.array(z.string().min(1)).min(1),
    facilitator: z.string().min(1),
    payTo: z.record(z.string(), z.string()),
    libraries: z.record(z.string(), z.string()),
  }),
  example: z.object({ request: z.string().min(1), response: z.unknown() }).optional(),
  website: z.url(),
  agents_welcome: z.boolean(),
})

export const directory = defineDocument({
  id: 'document.directory',
  path: '/',
  summary: 'Directory of the whole service',
  description: 'Names every open address with its description and price, and how payment works.',
  renderings: [json({ schema: Directory, build: toDirectory }), markdown(llmsText)],
})

function toDirectory(site: Site): z.input<typeof Directory> {
  const [first] = paidRoutes(site.catalog)
  return {
    name: NAME,
    version: API_VERSION,
    description: descriptionOf(site),
    docs: docsUrl(site),
    quickstart: urlOf(site, 'document.quickstart'),
    endpoints: { free: freeMap(site), paid: paidMap(site) },
    x402_protocol: x402Protocol(site),
    ...(first && isPaid(first.endpoint)
      ? { example: { request: curlOf(site, first), response: first.endpoint.example } }
      : {}),
    website: urlOf(site, 'document.directory'),
    agents_welcome: true,
  }
}

function freeMap({ catalog }: Site): Record<string, string> {
  const map: Record<string, string> = {}
  for (const route of openRoutes(catalog)) {
    const words = wordsOf(route)
    // GET and POST of one path share its entry.
    const known = map[route.path]
    map[route.path] = known === undefined ? words : `${known}; ${words}`
  }
  return map
}

function wordsOf({ method, endpoint }: Route): string {
  return method === 'GET' ? endpoint.summary : `${method}: ${endpoint.summary}`
}

function paidMap({ catalog }: Site): Record<string, { price_usdc: number; description: string }> {
  return Object.fromEntries(
    paidRoutes(catalog).flatMap(({ path, endpoint }) =>
      isPaid(endpoint)
        ? [[path, { price_usdc: priceOf(endpoint).usdc, description: endpoint.description }]]
        : [],
    ),
  )
}

function x402Protocol(site: Site) {
  const accepts = waysToPay(site)
  return {
    how_it_works: [...PAYING_STEPS],
    supported_chains: accepts.map(({ network }) => `${chainName(network)} (${network})`),
    facilitator: site.facilitator,
    payTo: Object.fromEntries(accepts.map(({ network, payTo }) => [network, payTo])),
    libraries: { ...SDK },
  }
}
