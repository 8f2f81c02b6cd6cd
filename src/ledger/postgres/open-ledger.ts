import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrations.ts'

/** Brought up to date, and ready to be used. */
export async function openLedgerDatabase(url: string): Promise<Database> {
  const database = openDatabase(url)
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
