import { type Catalog, createCatalog } from '../catalog/catalog.ts'
import { offeredBy } from '../catalog/group.ts'
import type { Offering } from '../catalog/offering.ts'
import type { PaymentTerms } from '../catalog/payment-terms.ts'
import type { Site } from '../catalog/site.ts'
import type { Config } from '../config/config.ts'
import { ownAddress } from '../config/own-address.ts'
import type { Clock } from '../core/time/clock.ts'
import { discoveryGroup } from '../discovery/group.ts'
import { IN_PROCESS } from '../payments/facilitators/members/in-process-member.ts'
import { productGroups } from '../products/groups.ts'
import type { PaymentRails } from './payment-rails.ts'

type Parts = {
  config: Config
  port: number
  money: Pick<PaymentRails, 'wallets'>
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
    catalog: catalogOf({ playMoney: money.wallets !== undefined, publicRevenue: config.publicRevenue }),
    demoCallsPerDay: config.demo.perClientPerDay,
    facilitator: config.facilitators[0] ?? IN_PROCESS,
    payment,
    startedAt: new Date(clock.now()).toISOString(),
  }
}

function catalogOf(offering: Offering): Catalog<Site> {
  const products = productGroups.map((group) => offeredBy<never>(offering, group))
  return createCatalog<Site>([...products, discoveryGroup])
}
