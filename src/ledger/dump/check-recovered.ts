import { databaseName } from '../../core/addresses/database-address.ts'
import type { Query } from '../postgres/database.ts'
import { findIdentity } from '../postgres/identity/identity-book.ts'
import { onDatabase } from '../postgres/on-database.ts'
import { inOneMoment } from '../postgres/one-moment.ts'
import type { Manifest } from './manifest.ts'

const HEAD = 'SELECT root_hash, signature FROM record_heads WHERE tree_size = $1'
const SETTLED = "SELECT tx, settled_at_ms FROM payments WHERE id = $1 AND state = 'settled'"
const COUNTS = `
  SELECT (SELECT count(*) FROM payments WHERE state = 'settled') AS settled,
    (SELECT count(*) FROM record_leaves) AS leaves`

/**
 * Whether a database that was recovered to a point in time is at least as new as the manifest: what the service had
 * signed and settled by then is there. One line for each thing that is not; none is good. Throws where it is of another
 * ledger.
 */
export const checkRecovered = (url: string, manifest: Manifest): Promise<string[]> =>
  onDatabase(
    url,
    (database) => inOneMoment(database, (query) => findLosses(query, manifest, databaseName(url))),
    { isPatient: true },
  )

async function findLosses(query: Query, { stock }: Manifest, name: string): Promise<string[]> {
  const identity = await findIdentity(query)
  if (identity?.ledgerId !== stock.ledger_id)
    throw new Error(
      `${name} holds ${identity ? `the ledger ${identity.ledgerId}` : 'no ledger'}, and the manifest is of ${stock.ledger_id}: name ${identity ? 'a manifest of this database' : 'the database that was recovered'}`,
    )
  const { newest_head: head, newest_settled: sale } = stock
  const losses: string[] = []
  if (head) {
    const [found] = (await query(HEAD, [head.tree_size])).rows
    if (!found)
      losses.push(`the head of ${head.tree_size} leaves that was signed is not there: the database is older`)
    else if (found.root_hash !== head.root_hash || found.signature !== head.signature)
      losses.push(`the head of ${head.tree_size} leaves is another than the one that was signed`)
  }
  if (sale) {
    const [found] = (await query(SETTLED, [sale.id])).rows
    if (!found)
      losses.push(
        `the sale ${sale.id} that a receipt was given for is not settled there: the database is older`,
      )
    else if (found.tx !== sale.tx) losses.push(`the sale ${sale.id} has another transaction`)
  }
  const [counts] = (await query(COUNTS)).rows
  const settled = stock.payments.settled?.count ?? 0
  if (Number(counts?.settled) < settled)
    losses.push(`${counts?.settled} sales are settled there, and ${settled} were`)
  const leaves = stock.tables.record_leaves?.rows ?? 0
  if (Number(counts?.leaves) < leaves)
    losses.push(`the record has ${counts?.leaves} leaves there, and had ${leaves}`)
  return losses
}
