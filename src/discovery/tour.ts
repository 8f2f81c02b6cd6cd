import { isPaid } from '../catalog/catalog.ts'
import type { Site } from '../catalog/site.ts'
import type { Tour } from '../products/bot/services.ts'
import { demoTerms, descriptionOf, NAME, PAYING_STEPS, SUMMARY } from './about.ts'
import { paidRoutes, urlOf } from './address.ts'
import { priceOf } from './prices/price.ts'
import { curlOf } from './sample-call.ts'

/** What a newcomer is told about the shop, from its catalog. */
export function tourOf(site: Site): Tour {
  return {
    welcome: `Welcome to ${NAME}: ${SUMMARY}.`,
    description: descriptionOf(site),
    endpoints: paidRoutes(site.catalog).flatMap((route) =>
      isPaid(route.endpoint)
        ? {
            path: route.path,
            description: route.endpoint.summary,
            price_usdc: priceOf(route.endpoint).usdc,
            curl_example: curlOf(site, route),
          }
        : [],
    ),
    how_to_pay: Object.fromEntries(PAYING_STEPS.map((step, n) => [`step_${n + 1}`, step])),
    free_trial: `${demoTerms(site).via} A sample that costs nothing: ${urlOf(site, 'bot.free_trial')}`,
  }
}
