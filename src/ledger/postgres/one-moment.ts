import type { Database, Query } from './database.ts'

/** Whatever `read` asks for is of one moment in all its parts. */
export const inOneMoment = <T>(
  { transaction }: Pick<Database, 'transaction'>,
  read: (query: Query) => Promise<T>,
): Promise<T> =>
  transaction(async ({ query }) => {
    await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    return read(query)
  })
