import { z } from 'zod'
import { isPaid, type PaidProduct, type Route } from '../../catalog/catalog.ts'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { bazaarOf } from '../../payments/challenge/bazaar.ts'
import { API_VERSION, demoTerms, descriptionOf, guidanceOf, KEYWORDS, NAME, POLICIES } from '../about.ts'
import { docsUrl, paidRoutes, urlOf } from '../address.ts'
import { json } from '../json-document.ts'
import { resourceUrl } from '../sample-call.ts'
import { priceOf, waysToPay } from './price.ts'

const Accepts = z.array(
  z.looseObject({
    scheme: z.string().min(1),
    network: z.string().min(1),
    amount: z.string().regex(/^\d+$/),
    payTo: z.string().min(1),
  }),
)
const Manifest = z.looseObject({
  version: z.literal(1),
  x402Version: z.literal(2),
  name: z.string().min(1),
  description: z.string().min(1),
  /** Addresses only: readers of the first form take an object here for a broken document. */
  resources: z.array(z.url()),
  instructions: z.string().min(1),
  items: z.array(
    z.looseObject({
      resource: z.url(),
      type: z.literal('http'),
      x402Version: z.literal(2),
      accepts: Accepts,
    }),
  ),
  policies: z.looseObject({ fulfillment_policy: z.looseObject({}), refund_policy: z.looseObject({}) }),
})

export const x402Manifest = defineDocument({
  id: 'document.x402_manifest',
  path: '/.well-known/x402',
  aliases: ['/.well-known/x402.json', '/.well-known/x402-manifest.json'],
  summary: 'Payment discovery manifest',
  description:
    'Every paid address with the networks, assets and amounts that pay for it, and what we promise for it.',
  renderings: [json({ schema: Manifest, build: toManifest, brief: withoutExtensions })],
})

function toManifest(site: Site): z.input<typeof Manifest> {
  const routes = paidRoutes(site.catalog)
  return {
    version: 1,
    x402Version: 2,
    name: NAME,
    api_version: API_VERSION,
    description: descriptionOf(site),
    mode: site.mode,
    keywords: KEYWORDS,
    facilitator: site.facilitator,
    networks: waysToPay(site).map(({ network }) => network),
    resources: [...new Set(routes.map((route) => resourceUrl(site, route)))],
    instructions: guidanceOf(site),
    demo: demoTerms(site),
    policies: POLICIES,
    openapi: urlOf(site, 'document.openapi'),
    pricing: urlOf(site, 'document.pricing'),
    documentation: docsUrl(site),
    items: routes.flatMap((route) => (isPaid(route.endpoint) ? [toItem(site, route, route.endpoint)] : [])),
  }
}

function withoutExtensions(manifest: z.input<typeof Manifest>): z.input<typeof Manifest> {
  return { ...manifest, items: manifest.items.map(({ extensions: _, ...item }) => item) }
}

/** The form in which facilitators list what is for sale. */
function toItem(site: Site, route: Route, product: PaidProduct) {
  return {
    resource: resourceUrl(site, route),
    type: 'http' as const,
    method: route.method,
    x402Version: 2 as const,
    description: product.description,
    mimeType: 'application/json',
    serviceName: NAME,
    tags: [product.tag],
    accepts: [...site.payment.accepts(priceOf(product).atomic)],
    extensions: { bazaar: bazaarOf(route, product).whole },
  }
}
