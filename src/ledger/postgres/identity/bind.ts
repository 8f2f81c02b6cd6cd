import type { LedgerIdentity } from '../../ports/ledger-identity.ts'
import type { Database, Query } from '../database.ts'
import { createPostgresIdentityBook, findIdentity } from './identity-book.ts'
import { placeOfDatabase } from './place.ts'

/** Whoever binds a ledger, or begins to copy one into it, is alone. */
export async function lockIdentity(query: Query): Promise<void> {
  await query('LOCK TABLE ledger_identity IN EXCLUSIVE MODE')
}

type Wanted = Omit<LedgerIdentity, 'place'>

/**
 * Binds a ledger that is bound to nothing. Of several processes that start at once the first one decides, and all get
 * what it wrote: who wanted something else has to be refused.
 */
export function bindDatabase(
  { transaction }: Database,
  name: string,
  wanted: Wanted,
): Promise<LedgerIdentity> {
  return transaction(async ({ query }) => {
    await lockIdentity(query)
    const bound = await findIdentity(query)
    if (bound) return bound
    const identity = { ...wanted, place: await placeOfDatabase(query, name) }
    await createPostgresIdentityBook({ query }).save(identity)
    return identity
  })
}
