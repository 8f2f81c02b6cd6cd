import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { databaseName } from '../../core/addresses/database-address.ts'
import type { Clock } from '../../core/time/clock.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { findDatabaseLedger } from '../../ledger/postgres/identity/find-ledger.ts'
import type { AdmitDatabase } from '../../ledger/postgres/open-ledger.ts'
import { openPostgresStore } from '../../ledger/postgres/store.ts'
import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { admitDatabase } from './admit-database.ts'
import { admitLedger } from './admit-ledger.ts'

type LedgerInput = { config: Pick<Config, 'mode' | 'payTo' | 'dataDir' | 'databaseUrl'>; clock: Clock }

/** Works on the ledger beside a running service, or while it is stopped. It takes no service lock: each change is one transaction. */
export async function useLedger<T>(
  { config, clock }: LedgerInput,
  work: (store: Pick<Store, 'demo' | 'identity' | 'operator' | 'signIn' | 'watercooler'>) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = config
  const store = databaseUrl
    ? await openPostgresStore(databaseUrl.reveal(), { clock, admit: admitUsed(config, databaseUrl.reveal()) })
    : openFile({ config, clock })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** A command makes no ledger. */
function admitUsed(config: LedgerInput['config'], url: string): AdmitDatabase {
  const name = databaseName(url)
  return async (database) => {
    await admitDatabase(config, name)(database)
    if (!(await findDatabaseLedger(database.query, name)).identity)
      throw new Error(
        `there is no ledger in ${name}: start the service once, which makes it, or correct DATABASE_URL`,
      )
  }
}

function openFile({ config, clock }: LedgerInput): Store {
  const file = ledgerPath(config.dataDir)
  if (!existsSync(file))
    throw new Error(
      `there is no ledger at ${file}: start the service once, which makes it, or correct TOLLBOOK_DATA_DIR or TOLLBOOK_MODE`,
    )
  return openSqliteStore(file, { clock, admit: admitLedger(config, file) })
}
