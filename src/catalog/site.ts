import type { Mode } from '../config/variables/variable.ts'
import type { Catalog } from './catalog.ts'
import type { PaymentTerms } from './payment-terms.ts'

/** What we said of a window that has closed, and what came of it. */
export type ClosedCall = {
  window_start: number
  window_end: number
  direction: string
  confidence: number
  abstain: boolean
  outcome: string
  hit: boolean | null
  record_path: string
}

/** What documents are made of: what is known at start and does not change while we run. */
export type Site = {
  baseUrl: string
  mode: Mode
  contactEmail: string
  catalog: Catalog<Site>
  demoCallsPerDay: number
  /** Whether there is a token whose holders may sign in and call without paying. */
  hasProjectToken: boolean
  /** Address of the first facilitator, or what the one inside this process is called. */
  facilitator: string
  payment: PaymentTerms
  startedAt: string
  /** The newest of BTC, which the home page shows: the one thing here that changes. */
  lastCall?: () => ClosedCall | undefined
}
