import type { DatabaseSync } from 'node:sqlite'
import type { LedgerIdentity } from '../ports/ledger-identity.ts'
import type { Database, Statements } from '../postgres/database.ts'
import { lockIdentity } from '../postgres/identity/bind.ts'
import { type Copying, markCopying, unmarkCopying } from '../postgres/identity/copy-mark.ts'
import { createPostgresIdentityBook } from '../postgres/identity/identity-book.ts'
import { placeOfDatabase } from '../postgres/identity/place.ts'
import { migrate } from '../postgres/migrations.ts'
import { checkEmpty, checkTarget } from './check-target.ts'
import { checkTables, findColumns } from './columns.ts'
import { copyRows } from './copy-rows.ts'
import { lastNumber, setSequence } from './sequences.ts'
import { COPIED_TABLES, type CopiedTable } from './tables.ts'
import { compareLedgers, type SentTable } from './verify/compare.ts'
import { type Comparison, isSame } from './verify/difference.ts'

export type CopyInput = {
  /** Nobody writes to it. */
  source: DatabaseSync
  /** Where that is, for messages. */
  file: string
  identity: LedgerIdentity
  database: Database
  /** What messages call the database. */
  name: string
  nowMs: number
  onRows(table: string, done: number): void
  /** Takes the source out of service: called once all is there and the same, and before the target can serve. */
  leaveSource(): void
}
export type Copied = {
  comparisons: readonly Comparison[]
  /** Words in which a character was replaced, by table. */
  replaced: ReadonlyMap<string, number>
}

/** The two ledgers are not the same, so nothing was kept. */
export class CopyDiffersError extends Error {
  readonly comparisons: readonly Comparison[]
  constructor(comparisons: readonly Comparison[]) {
    super(
      'the copy is not what the ledger is: it was taken back, and the ledger is as it was. Tell the makers',
    )
    this.comparisons = comparisons
  }
}

/**
 * Copies an embedded ledger into an empty database and compares the two. All rows come with one transaction. The mark
 * is there before it and goes with it, so that a crash at any moment leaves a target that is refused and can be copied
 * into again. The source is left before that transaction commits: at no moment would both be served.
 */
export async function copyLedger(input: CopyInput): Promise<Copied | 'already'> {
  const { database, name, identity, file, nowMs } = input
  if ((await checkTarget({ query: database.query, name }, identity)) === 'already') return 'already'
  checkTables(input.source)
  await migrate(database)
  const copying = { ledgerId: identity.ledgerId, source: file }
  await database.transaction((statements) => begin(statements, input, copying, nowMs))
  return database.transaction((statements) => copyAll(statements, input))
}

async function begin(
  { query }: Statements,
  { name, identity }: CopyInput,
  copying: Copying,
  nowMs: number,
): Promise<void> {
  await lockIdentity(query)
  // Again, now that nobody can bind it.
  if ((await checkTarget({ query, name }, identity)) === 'already')
    throw new Error(`${name} got this ledger from somebody else meanwhile: run the command again`)
  await markCopying(query, copying, nowMs)
}

async function copyAll({ query, exec }: Statements, input: CopyInput): Promise<Copied> {
  const { source, identity, name } = input
  await lockIdentity(query)
  await checkEmpty({ query, name })
  const sent: SentTable[] = []
  const replaced = new Map<string, number>()
  for (const table of COPIED_TABLES) {
    const one = await copyTable({ query, exec }, input, table)
    sent.push(one)
    if (one.replaced > 0) replaced.set(table.table, one.replaced)
  }
  const comparisons = await compareLedgers(source, query, sent)
  if (!comparisons.every(isSame)) throw new CopyDiffersError(comparisons)
  const place = await placeOfDatabase(query, name)
  await createPostgresIdentityBook({ query }).save({ ...identity, place })
  await unmarkCopying(query)
  input.leaveSource()
  return { comparisons, replaced }
}

/** Without the table's own triggers: they refuse rows out of turn, and count again what is counted already. */
async function copyTable(
  { query, exec }: Statements,
  { source, onRows }: CopyInput,
  table: CopiedTable,
): Promise<SentTable & { replaced: number }> {
  const name = table.table
  const columns = await findColumns(source, query, table)
  await exec(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
  if (table.isSeeded) await query(`DELETE FROM ${name}`)
  const { checksum, replaced } = await copyRows({
    ...{ source, query, table, columns },
    onRows: (done) => onRows(name, done),
  })
  for (const { name: column } of columns.filter(({ isIdentity }) => isIdentity))
    await setSequence(query, lastNumber(source, name, column))
  await exec(`ALTER TABLE ${name} ENABLE TRIGGER USER; ANALYZE ${name}`)
  return { table: name, columns, checksum, replaced }
}
