import { ServiceError } from '../../core/service-error.ts'
import type { Database, Query } from './database.ts'

const ASK = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only`

/** Of a server that answers: a replica, or one that was replaced, answers too, and takes nothing. */
export async function isReadOnly(query: Query): Promise<boolean> {
  return (await query(ASK)).rows[0]?.is_read_only === true
}

/** In a transaction, so that a connection which can only be read is not kept: the next one may lead elsewhere. */
export const requireWritable = (database: Pick<Database, 'transaction'>): Promise<void> =>
  database.transaction(async ({ query }) => {
    if (await isReadOnly(query)) throw new ServiceError('store_unavailable', 'the database can only be read')
  })
