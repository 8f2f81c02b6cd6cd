import { accountGroup } from '../account/group.ts'
import { type Catalog, createCatalog } from '../catalog/catalog.ts'
import { offeredBy } from '../catalog/group.ts'
import type { Offering } from '../catalog/offering.ts'
import { segmentsOf } from '../catalog/path.ts'
import type { PaymentTerms } from '../catalog/payment-terms.ts'
import type { Site } from '../catalog/site.ts'
import type { Config } from '../config/config.ts'
import { ownAddress } from '../config/own-address.ts'
import type { Clock } from '../core/time/clock.ts'
import { docsGroupOf } from '../discovery/docs/group.ts'
import { discoveryGroup } from '../discovery/group.ts'
import { operatorGroups } from '../operator/groups.ts'
import { pageGroup } from '../pages/group.ts'
import { IN_PROCESS } from '../payments/facilitators/members/in-process-member.ts'
import { CHAT_ID } from '../products/chat/chat.ts'
import { productGroupsOf } from '../products/groups.ts'
import type { PaymentRails } from './payment-rails.ts'
import { projectTokenOf } from './project-token-of.ts'
import { protocolGroups } from './protocols.ts'

type Parts = {
  config: Config
  port: number
  money: Pick<PaymentRails, 'wallets'> & Partial<Pick<PaymentRails, 'facilitators'>>
  payment: PaymentTerms
  clock: Clock
}

/** What this installation is called, where it is reached and what it offers. */
export function describeSite({ config, port, money, payment, clock }: Parts): Site {
  const baseUrl = config.baseUrl ?? ownAddress(config.host, port)
  return {
    baseUrl,
    mode: config.mode,
    contactEmail: config.contactEmail,
    catalog: catalogOf(config.site, {
      playMoney: money.wallets !== undefined,
      publicRevenue: config.publicRevenue,
    }),
    demoCallsPerDay: config.demo.perClientPerDay,
    hasProjectToken: projectTokenOf(config) !== undefined,
    facilitator: config.facilitators[0] ?? money.facilitators?.[0]?.name ?? IN_PROCESS,
    payment,
    startedAt: new Date(clock.now()).toISOString(),
  }
}

/** Addresses without params that anybody may open. */
export function ownPaths({ routes }: Catalog<Site>): ReadonlySet<string> {
  const open = routes.filter(
    ({ endpoint, path }) => endpoint.access.kind !== 'operator' && !path.includes('{'),
  )
  return new Set(open.map(({ path }) => path))
}

function catalogOf(site: string, offering: Offering): Catalog<Site> {
  const products = productGroupsOf(site).map((group) => offeredBy<never>(offering, group))
  const own = [...products, accountGroup, pageGroup, ...protocolGroups]
  const groups = [...own, discoveryGroup, ...operatorGroups]
  const catalog = createCatalog<Site>([...groups, docsGroupOf(groups)])
  // Otherwise the chat would hide a coin, a token or a document of that name.
  const others = catalog.routes.filter(
    ({ endpoint, path }) => endpoint.id !== CHAT_ID && segmentsOf(path)[0] === site,
  )
  if (others[0]) throw new Error(`TOLLBOOK_SITE: ${site} is taken by ${others[0].path}: choose another name`)
  return catalog
}
