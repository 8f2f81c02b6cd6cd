import type { Secret } from '../../core/secret.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { nameDatabase } from '../../ledger/postgres/on-database.ts'
import type { Dependency } from './watch.ts'

const EVERY_MS = 5_000

/** For the log. An embedded ledger is lost with its disk, which is asked itself. */
export function storeDependencies(
  databaseUrl: Secret | undefined,
  { ping }: Pick<Store, 'ping'>,
): Dependency[] {
  if (!databaseUrl) return []
  const probe = () =>
    ping().catch((error: unknown) => {
      throw nameDatabase(databaseUrl.reveal(), error)
    })
  return [{ name: 'store', where: {}, trouble: 'does not answer', everyMs: EVERY_MS, probe }]
}
