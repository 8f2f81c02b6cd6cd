import { TIERS } from '../account/tiers.ts'
import { isPaid } from '../catalog/catalog.ts'
import { fillPath } from '../catalog/path.ts'
import type { Site } from '../catalog/site.ts'
import { countText } from '../core/count-text.ts'
import type { ChatShop, Offer } from '../products/chat/services.ts'
import { chainName, NAME, noticeOf, SUMMARY } from './about.ts'
import { docsUrl, findPath, urlOf } from './address.ts'
import { priceOf, waysToPay } from './prices/price.ts'
import { canBeFollowed, resourceUrl } from './sample-call.ts'

/** What the chat may say about the shop, from its catalog. */
export function chatShopOf(site: Site): ChatShop {
  return {
    name: NAME,
    mode: site.mode,
    summary: SUMMARY,
    notice: noticeOf(site),
    contactEmail: site.contactEmail,
    demoCallsPerDay: site.demoCallsPerDay,
    networks: [...new Set(waysToPay(site).map(({ network }) => chainName(network)))],
    holderTerms: HOLDER_TERMS,
    offers: offersOf(site),
    links: {
      pricing: urlOf(site, 'document.pricing'),
      quickstart: urlOf(site, 'document.quickstart'),
      docs: docsUrl(site),
      mcp: findUrl(site, 'mcp.call'),
      a2a: findUrl(site, 'a2a.rpc'),
      challenge: findUrl(site, 'account.challenge'),
      receipts: findUrl(site, 'account.receipts'),
    },
  }
}

const HOLDER_TERMS = TIERS.filter(({ callsPerDay }) => callsPerDay > 0)
  .map(
    ({ tokens, callsPerDay }) => `${callsPerDay} calls a day from ${countText(Number(tokens), 'token')} on`,
  )
  .join(', ')

const findUrl = (site: Site, id: string): string | undefined => findPath(site.catalog, id) && urlOf(site, id)

/** Each endpoint once, by its own path. */
function offersOf(site: Site): Offer[] {
  const { routes, groups } = site.catalog
  const aboutOf = (tag: string) => groups.find((group) => group.tag === tag)?.about ?? ''
  return routes.flatMap((route): Offer | [] => {
    const { endpoint, path, method } = route
    if (endpoint.kind !== 'product' || path !== endpoint.path || !canBeFollowed(route)) return []
    return {
      id: endpoint.id,
      method,
      group: endpoint.tag,
      path,
      url: resourceUrl(site, route),
      ...(path.includes('{token}') && { urlOfCoin: (token) => site.baseUrl + fillPath(path, { token }) }),
      summary: endpoint.summary,
      about: `${endpoint.description} ${aboutOf(endpoint.tag)}`,
      price: isPaid(endpoint) ? priceOf(endpoint).human : undefined,
    }
  })
}
