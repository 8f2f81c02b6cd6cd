import type { Database } from '../../ledger/postgres/database.ts'
import { bindServiceKey, findDatabaseSigner } from '../../ledger/postgres/identity/service-key.ts'
import { openServiceKey, type ServiceKey } from '../../payments/receipts/service-key.ts'

/**
 * The service key of a process on a ledger that others use too. Each has the key in a file of its own; the ledger holds
 * who it must be. The first start makes it; a key that was replaced is known by the record. Where another process was
 * first, the key that was made here is refused like any other one.
 */
export async function openSharedServiceKey(
  { query }: Pick<Database, 'query'>,
  dataDir: string,
  nowMs: number,
  { mayMake = true } = {},
): Promise<ServiceKey> {
  const signer = await findDatabaseSigner(query)
  if (!signer && !mayMake)
    throw new Error(
      `no engine has served from this database yet, and ${dataDir} gets its keys from one: start an engine first`,
    )
  const key = openServiceKey(dataDir, signer, nowMs)
  if (signer) return key
  return openServiceKey(dataDir, await bindServiceKey(query, key.id, nowMs), nowMs)
}
