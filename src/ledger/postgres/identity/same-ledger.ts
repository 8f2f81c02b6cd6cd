import { ServiceError } from '../../../core/service-error.ts'
import type { Query } from '../database.ts'
import { numberOfPayments } from '../payments/number-of-payments.ts'
import { isCopiedDatabase, placeOfDatabase } from './place.ts'

/** Rejects on a connection to another ledger than the one that this process serves from. */
export type CheckLedger = (query: Query) => Promise<void>

export const otherLedger = () => new ServiceError('store_unavailable', OTHER)
const OTHER =
  'the database at this address holds another ledger than at the start: stop this process; "Recover a database" in docs/runbook.md tells the rest'

/**
 * `place`, and `payments`, the number of that table: of the ledger at the start. What was put back at its address while this
 * process runs knows less of what was sold.
 */
export function stayWith(place: string, payments: string, name: string): CheckLedger {
  return async (query) => {
    if (isCopiedDatabase(place, await placeOfDatabase(query, name))) throw otherLedger()
    if ((await numberOfPayments(query)) !== payments) throw otherLedger()
  }
}
