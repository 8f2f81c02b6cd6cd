import type { Mode } from '../config/variables/variable.ts'
import type { Catalog } from './catalog.ts'
import type { PaymentTerms } from './payment-terms.ts'

/** What documents are made of: everything that is known at start and does not change while we run. */
export type Site = {
  baseUrl: string
  mode: Mode
  contactEmail: string
  catalog: Catalog<Site>
  demoCallsPerDay: number
  /** Address of the first facilitator, or what the one inside this process is called. */
  facilitator: string
  payment: PaymentTerms
  startedAt: string
}
