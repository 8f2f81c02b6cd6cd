import { databaseName } from '../../core/addresses/database-address.ts'
import { describeError } from '../../core/describe-error.ts'
import { ServiceError } from '../../core/service-error.ts'
import { type Database, openDatabase } from './database.ts'

type Options = NonNullable<Parameters<typeof openDatabase>[1]>

/**
 * For commands, which may be told of any database: opens one for a task and closes it. Where it fails, its error says
 * which one it is, without user and password, and why.
 */
export async function onDatabase<T>(
  url: string,
  work: (database: Database) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const database = openDatabase(url, options)
  try {
    return await work(database)
  } catch (error) {
    throw error instanceof ServiceError && error.cause !== undefined ? named(url, error) : error
  } finally {
    await database.close()
  }
}

const named = (url: string, { code, message, cause }: ServiceError) =>
  new ServiceError(code, `${databaseName(url)}: ${message} (${describeError(cause)})`, { cause })
