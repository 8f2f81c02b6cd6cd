import { createCatalog } from '../catalog/catalog.ts'
import type { PaymentTerms, Site } from '../catalog/document.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../core/clock.ts'
import { documents } from '../discovery/documents.ts'
import { products } from '../products/products.ts'
import { sandboxWallets } from '../products/service/sandbox-wallets.ts'

/** What this installation is called, where it is reached and what it offers. */
export function describeSite(config: Config, port: number, payment: PaymentTerms, clock: Clock): Site {
  const baseUrl = config.baseUrl ?? `http://${reachable(config.host)}:${port}`
  const sandboxOnly = config.mode === 'sandbox' ? [sandboxWallets] : []
  return {
    baseUrl,
    mode: config.mode,
    contactEmail: config.contactEmail,
    catalog: createCatalog([...products, ...sandboxOnly, ...documents]),
    demoCallsPerDay: config.demo.perClientPerDay,
    facilitator: config.facilitators[0] ?? baseUrl,
    payment,
    startedAt: new Date(clock.now()).toISOString(),
  }
}

/** A wildcard address can be listened on but not called. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
