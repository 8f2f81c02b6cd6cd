import { type Log, silentLog } from '../../core/log.ts'
import { type ConnectionPool, type Database, openDatabase } from './database.ts'
import { migrate } from './migrations.ts'

/** Rejects where this ledger must not be used. Nothing has been written when it is asked, and no table need be there. */
export type AdmitDatabase = (database: Database) => Promise<void>

/** Brought up to date, and ready to be used. */
export async function openLedgerDatabase(
  url: string,
  admit: AdmitDatabase = async () => {},
  log: Pick<Log, 'warn'> = silentLog,
): Promise<ConnectionPool> {
  const database = openDatabase(url)
  try {
    await admit(database)
    await migrate(database, { log })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
