import { z } from 'zod'
import { isPaid, type PaidProduct, type Route } from '../../catalog/catalog.ts'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { demoTerms, NAME, noticeOf, PAYING_STEPS } from '../about.ts'
import { paidRoutes } from '../address.ts'
import { json, markdown } from '../json-document.ts'
import { blocks, fence } from '../markdown-text.ts'
import { curlOf, sampleUrl } from '../sample-call.ts'
import { CURRENCY, priceOf } from './price.ts'

const PaidEndpoint = z.object({
  path: z.string(),
  method: z.string(),
  url: z.url(),
  summary: z.string(),
  description: z.string(),
  price_usdc: z.number(),
  curl_example: z.string(),
})
const Paid = z.object({
  name: z.string(),
  mode: z.string(),
  notice: z.string().optional(),
  currency: z.string(),
  demo: z.object({ free_calls_per_day_per_ip: z.int(), via: z.string() }),
  how_to_pay: z.array(z.string()),
  count: z.int(),
  endpoints: z.array(PaidEndpoint),
})

export const paidListing = defineDocument({
  id: 'document.paid',
  path: '/paid',
  summary: 'Listing of the paid endpoints',
  description: 'Every paid address with its price, what it returns and a command to try it.',
  renderings: [json({ schema: Paid, build: toPaid }), markdown(paidText)],
})

/** Every paid address, aliases included, as a buyer wants to see it. */
export function paidEndpoints(site: Site): z.input<typeof PaidEndpoint>[] {
  return paidRoutes(site.catalog).flatMap((route) =>
    isPaid(route.endpoint) ? [toPaidEndpoint(site, route, route.endpoint)] : [],
  )
}

function toPaidEndpoint(site: Site, route: Route, product: PaidProduct): z.input<typeof PaidEndpoint> {
  return {
    path: route.path,
    method: route.method,
    url: sampleUrl(site, route),
    summary: product.summary,
    description: product.description,
    price_usdc: priceOf(product).usdc,
    curl_example: curlOf(site, route),
  }
}

function toPaid(site: Site): z.input<typeof Paid> {
  const notice = noticeOf(site)
  const endpoints = paidEndpoints(site)
  return {
    name: NAME,
    mode: site.mode,
    ...(notice === '' ? {} : { notice }),
    currency: CURRENCY,
    demo: demoTerms(site),
    how_to_pay: [...PAYING_STEPS],
    count: endpoints.length,
    endpoints,
  }
}

function paidText(site: Site): string {
  const sections = paidEndpoints(site).flatMap((endpoint) => [
    `## ${endpoint.method} ${endpoint.path}: $${endpoint.price_usdc}`,
    endpoint.description,
    fence('sh', endpoint.curl_example),
  ])
  return blocks(`# ${NAME}: paid endpoints`, noticeOf(site), demoTerms(site).via, ...sections)
}
