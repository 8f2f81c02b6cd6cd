import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../core/time/clock.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { admitLedger } from './admit-ledger.ts'

export type LedgerInput = { config: Pick<Config, 'mode' | 'payTo' | 'dataDir'>; clock: Clock }

/**
 * Works on the ledger beside a running service, or while it is stopped. It takes no service lock: each change is one
 * transaction, and SQLite lets two processes write one after the other.
 */
export async function useLedger<T>(
  { config, clock }: LedgerInput,
  work: (store: Pick<Store, 'demo' | 'operator' | 'signIn' | 'watercooler'>) => Promise<T>,
): Promise<T> {
  const file = ledgerPath(config.dataDir)
  if (!existsSync(file))
    throw new Error(
      `there is no ledger at ${file}: start the service once, which makes it, or correct TOLLBOOK_DATA_DIR or TOLLBOOK_MODE`,
    )
  const store = openSqliteStore(file, { clock, admit: admitLedger(config, file) })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
