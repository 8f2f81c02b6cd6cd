import type { LedgerIdentity } from '../ports/ledger-identity.ts'
import type { Query } from '../postgres/database.ts'
import { findCopying } from '../postgres/identity/copy-mark.ts'
import { findIdentity } from '../postgres/identity/identity-book.ts'
import { NEWEST_VERSION } from '../postgres/migrations.ts'
import { COPIED_TABLES } from './tables.ts'

type Target = { query: Query; name: string }

const ANOTHER = 'name an empty database or schema'
const OUR_TABLES = ['ledger_identity', ...COPIED_TABLES.map(({ table }) => table)]

/**
 * Before anything is written there: throws where it is of another program or a newer release. `already`: this very
 * ledger is there, whole.
 */
export async function checkTarget(target: Target, source: LedgerIdentity): Promise<'empty' | 'already'> {
  const { query, name } = target
  if (!(await has(query, 'ledger_versions'))) {
    const others = await findOthers(query)
    if (others.length > 0)
      throw new Error(`${name} has tables of another program (${others.join(', ')}): ${ANOTHER}`)
    return 'empty'
  }
  const { rows } = await query('SELECT coalesce(max(version), 0) AS version FROM ledger_versions')
  const version = Number(rows[0]?.version)
  if (version > NEWEST_VERSION)
    throw new Error(
      `${name} is of a newer release, its version is ${version} and ours ${NEWEST_VERSION}: copy with that release, or ${ANOTHER}`,
    )
  const copying = (await has(query, 'ledger_copying')) ? await findCopying(query) : undefined
  if (copying && copying.ledgerId !== source.ledgerId)
    throw new Error(
      `a copy of another ledger, ${copying.ledgerId} at ${copying.source}, was begun in ${name} and not finished: finish that one, or ${ANOTHER}`,
    )
  const identity = (await has(query, 'ledger_identity')) ? await findIdentity(query) : undefined
  if (identity && identity.ledgerId === source.ledgerId && !copying) return 'already'
  if (identity) throw new Error(refusal(name, identity, source))
  await checkEmpty(target)
  return 'empty'
}

function refusal(name: string, there: LedgerIdentity, source: LedgerIdentity): string {
  if (there.mode !== source.mode)
    return `${name} is a ledger of ${there.mode} mode, this one is of ${source.mode} mode, and play sales must never mix with real ones: ${ANOTHER}`
  const isPayee =
    there.payTo.evm.toLowerCase() === source.payTo.evm.toLowerCase() && there.payTo.svm === source.payTo.svm
  return isPayee
    ? `${name} holds another ledger of the same payee, ${there.ledgerId}, and two ledgers cannot be made one: ${ANOTHER}, and make sure that only one of them serves`
    : `${name} is the ledger of what ${there.payTo.evm} and ${there.payTo.svm} were paid: ${ANOTHER}`
}

/** Throws where any table has a row, whatever else is said of the ledger. */
export async function checkEmpty({ query, name }: Target): Promise<void> {
  const filled: string[] = []
  for (const { table, isSeeded } of COPIED_TABLES)
    if (!isSeeded && (await has(query, table)) && (await query(`SELECT 1 FROM ${table} LIMIT 1`)).count > 0)
      filled.push(table)
  if (filled.length > 0)
    throw new Error(`${name} is not empty, there are rows in ${filled.join(', ')}: ${ANOTHER}`)
}

async function findOthers(query: Query): Promise<string[]> {
  const found: string[] = []
  for (const table of OUR_TABLES) if (await has(query, table)) found.push(table)
  return found
}

async function has(query: Query, table: string): Promise<boolean> {
  const [row] = (await query('SELECT to_regclass($1) IS NOT NULL AS has', [table])).rows
  return row?.has === true
}
