import { z } from 'zod'
import { isPaid, type PaidProduct, type Route } from '../../catalog/catalog.ts'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { MODES } from '../../config/variables/variable.ts'
import { demoTerms, NAME, noticeOf, PAYING_STEPS } from '../about.ts'
import { paidRoutes } from '../address.ts'
import { json, markdown } from '../json-document.ts'
import { blocks, fence } from '../markdown-text.ts'
import { aliasText, headingOf, isOwn } from '../reference-text.ts'
import { curlOf, sampleUrl } from '../sample-call.ts'
import { CURRENCY, priceOf } from './price.ts'

const PaidEndpoint = z.object({
  path: z.string().min(1).startsWith('/'),
  method: z.enum(['GET', 'POST']),
  url: z.url(),
  summary: z.string().min(1),
  description: z.string().min(1),
  price_usdc: z.number().min(0),
  curl_example: z.string().min(1),
})
const Paid = z.object({
  name: z.string().min(1),
  mode: z.enum(MODES),
  notice: z.string().min(1).optional(),
  currency: z.string().min(1),
  demo: z.object({ free_calls_per_day_per_ip: z.int().min(0), via: z.string().min(1) }),
  how_to_pay: z.array(z.string().min(1)).min(1),
  count: z.int().min(0),
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
function paidEndpoints(site: Site): z.input<typeof PaidEndpoint>[] {
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
  const sections = paidRoutes(site.catalog)
    .filter(isOwn)
    .flatMap((route) =>
      isPaid(route.endpoint)
        ? [
            `## ${headingOf(route)}: $${priceOf(route.endpoint).usdc}`,
            route.endpoint.description,
            aliasText(site, route.endpoint),
            fence('sh', curlOf(site, route)),
          ]
        : [],
    )
  return blocks(`# ${NAME}: paid endpoints`, noticeOf(site), demoTerms(site).via, ...sections)
}
