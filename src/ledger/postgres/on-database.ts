import { databaseName } from '../../core/addresses/database-address.ts'
import { describeError } from '../../core/describe-error.ts'
import { ServiceError } from '../../core/service-error.ts'
import { type Database, openDatabase } from './database.ts'

type Options = NonNullable<Parameters<typeof openDatabase>[1]>

/** For commands, which may be told of any database: opens one for a task and closes it. */
export async function onDatabase<T>(
  url: string,
  work: (database: Database) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const database = openDatabase(url, options)
  try {
    return await work(database)
  } catch (error) {
    throw nameDatabase(url, error)
  } finally {
    await database.close()
  }
}

/** A fault of the database says which one it is, without user and password, and why. */
export function nameDatabase(url: string, error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.cause === undefined) return error
  const { code, message, cause } = error
  return new ServiceError(code, `${databaseName(url)}: ${message} (${describeError(cause)})`, { cause })
}
