import type { Secret } from '../../../core/secret.ts'
import { type Database, openDatabase } from '../../../ledger/postgres/database.ts'

/** Asks the database of the ledger, on a connection that ends with it. */
export async function onDatabase<T>(url: Secret, ask: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(url.reveal())
  return ask(database).finally(() => database.close())
}
