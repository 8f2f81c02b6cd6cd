import { countText } from '../../../core/count-text.ts'
import { kidOf, type Signer } from '../../files/find-signer.ts'
import { TEXT } from '../basic-tables.ts'
import type { Query } from '../database.ts'
import { onlyAdded } from '../guards.ts'

/** The public part of the first key. Later ones are named by the record, which is where a key is changed. */
export const SERVICE_KEY = `
  CREATE TABLE service_key (
    one integer PRIMARY KEY CHECK (one = 1),
    key_id ${TEXT} NOT NULL,
    bound_ms bigint NOT NULL
  );
  ${onlyAdded('service_key')}
`

const HEAD = 'SELECT key_id, tree_size FROM record_heads ORDER BY tree_size DESC LIMIT 1'
const RECEIPT = 'SELECT receipt FROM payments WHERE receipt IS NOT NULL ORDER BY seq DESC LIMIT 1'
const BOUND = 'SELECT key_id FROM service_key'
const BIND = 'INSERT INTO service_key VALUES (1, $1, $2) ON CONFLICT DO NOTHING'

/** The key that every process on this ledger must have: who signed last, or else who was bound first. */
export async function findDatabaseSigner(query: Query): Promise<Signer | undefined> {
  const [head] = (await query(HEAD)).rows
  if (head)
    return {
      keyId: String(head.key_id),
      signed: `a record of ${countText(Number(head.tree_size), 'leaf', 'leaves')}`,
      isShared: true,
    }
  const [bound] = (await query(BOUND)).rows
  if (bound) return { keyId: String(bound.key_id), signed: 'what this ledger offers', isShared: true }
  const [row] = (await query(RECEIPT)).rows
  return row && { keyId: kidOf(String(row.receipt)), signed: 'a receipt', isShared: true }
}

/** Durable when it resolves. Of several processes that start at once the first one decides; it returns whose key counts. */
export async function bindServiceKey(
  query: Query,
  keyId: string,
  nowMs: number,
): Promise<Signer | undefined> {
  await query(BIND, [keyId, nowMs])
  return findDatabaseSigner(query)
}
