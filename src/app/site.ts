import { type Catalog, createCatalog } from '../catalog/catalog.ts'
import { offeredIn } from '../catalog/group.ts'
import type { PaymentTerms } from '../catalog/payment-terms.ts'
import type { Site } from '../catalog/site.ts'
import type { Config } from '../config/config.ts'
import type { Mode } from '../config/variables/variable.ts'
import type { Clock } from '../core/time/clock.ts'
import { discoveryGroup } from '../discovery/group.ts'
import { productGroups } from '../products/groups.ts'

/** What this installation is called, where it is reached and what it offers. */
export function describeSite(config: Config, port: number, payment: PaymentTerms, clock: Clock): Site {
  const baseUrl = config.baseUrl ?? `http://${reachable(config.host)}:${port}`
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

/** A wildcard address can be listened on but not called. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
