import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { type CopyInput, copyLedger } from '../../../ledger/copy/copy-ledger.ts'
import type { LedgerIdentity } from '../../../ledger/ports/ledger-identity.ts'
import { type Database, openDatabase } from '../../../ledger/postgres/database.ts'
import { findDatabaseLedger } from '../../../ledger/postgres/identity/find-ledger.ts'
import { freshSchema } from '../postgres.ts'
import { temporaryDir } from '../temporary-dir.ts'
import { fillLedger } from './filled-ledger.ts'

export const identity: LedgerIdentity = {
  ledgerId: 'f'.repeat(32),
  mode: 'sandbox',
  payTo: { evm: `0x${'a'.repeat(40)}`, svm: 's' },
  place: 'there',
}

type Given = { more?: (db: DatabaseSync) => void; url?: string; input?: Partial<CopyInput> }

/** A filled file and an empty database, and the copy from one to the other. */
export async function prepared({ more, url, input }: Given = {}) {
  const file = join(temporaryDir(), 'ledger.sqlite')
  await fillLedger(file, more)
  const target = url ?? (await freshSchema())
  const source = new DatabaseSync(file, { readOnly: true })
  const database = openDatabase(target)
  onTestFinished(async () => {
    source.close()
    await database.close()
  })
  const left: string[] = []
  const copy = (given: Partial<CopyInput> = {}) =>
    copyLedger({
      ...{ source, file, identity, database, name: 'the target', nowMs: 7, onRows: () => {} },
      leaveSource: () => void left.push('left'),
      ...input,
      ...given,
    })
  return { file, url: target, source, database, copy, left }
}

export const rowsOf = async ({ query }: Database, sql: string) => (await query(sql)).rows
export const find = ({ query }: Database) => findDatabaseLedger(query, 'the target')
