import { type Catalog, createCatalog } from '../catalog/catalog.ts'
import { offeredIn } from '../catalog/group.ts'
import type { PaymentTerms } from '../catalog/payment-terms.ts'
import type { Site } from '../catalog/site.ts'
import type { Config } from '../config/config.ts'
import { ownAddress } from '../config/own-address.ts'
import type { Mode } from '../config/variables/variable.ts'
import type { Clock } from '../core/time/clock.ts'
import { discoveryGroup } from '../discovery/group.ts'
import { productGroups } from '../products/groups.ts'

/** What this installation is called, where it is reached and what it offers. */
export function describeSite(config: Config, port: number, payment: PaymentTerms, clock: Clock): Site {
  const baseUrl = config.baseUrl ?? ownAddress(config.host, port)
  return {
    baseUrl,
    mode: config.mode,
    contactEmail: config.contactEmail,
    catalog: catalogOf(config.mode),
    demoCallsPerDay: config.demo.perClientPerDay,
    facilitator: config.facilitators[0] ?? baseUrl,
    payment,
    startedAt: new Date(clock.now()).toISOString(),
  }
}

function catalogOf(mode: Mode): Catalog<Site> {
  const products = productGroups.map((group) => offeredIn<never>(mode, group))
  return createCatalog<Site>([...products, discoveryGroup])
}
