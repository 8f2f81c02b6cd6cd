import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { identity, prepared, rowsOf } from '../../testing/ledger/copy/prepared-copy.ts'
import { openLeadingStore } from '../../testing/ledger/leading-store.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import type { LedgerIdentity } from '../ports/ledger-identity.ts'
import { openDatabase } from '../postgres/database.ts'
import { migrate } from '../postgres/migrations.ts'
import { checkTables, findColumns } from './columns.ts'

afterAll(dropSchemas)

describe.skipIf(isPostgresMissing)('a target', () => {
  const bound = (given: Partial<LedgerIdentity>): Promise<void> =>
    fill({ identity: { ...identity, ...given } })
  let url = ''
  async function fill(given: { identity?: LedgerIdentity; sql?: string }): Promise<void> {
    url = await freshSchema()
    const store = await openLeadingStore(url)
    if (given.identity) await store.identity.save({ ...given.identity, place: PLACE })
    await store.close()
    const database = openDatabase(url)
    if (given.sql) await database.exec(given.sql)
    await database.close()
  }
  const PLACE = JSON.stringify({ server: null, database: '1', table: '1', name: 'x' })
  const OTHER = 'e'.repeat(32)
  const CASES: Readonly<Record<string, [() => Promise<void>, RegExp]>> = {
    'of another mode': [() => bound({ ledgerId: OTHER, mode: 'live' }), /of live mode.*an empty database/],
    'of another payee': [
      () => bound({ ledgerId: OTHER, payTo: { evm: '0xb', svm: 's' } }),
      /what 0xb and s were paid.*an empty database/,
    ],
    'of the same payee': [
      () => bound({ ledgerId: OTHER }),
      /another ledger of the same payee.*only one of them/,
    ],
    'with a row': [
      () => fill({ sql: "INSERT INTO demo_calls VALUES (1, 'a', 1)" }),
      /not empty, there are rows in demo_calls/,
    ],
    'of a newer release': [
      () => fill({ sql: 'INSERT INTO ledger_versions VALUES (999)' }),
      /newer release, its version is 999.*copy with that release/,
    ],
    'that waits for another ledger': [
      () => fill({ sql: `INSERT INTO ledger_copying VALUES (1, '${OTHER}', '/srv/other', 1)` }),
      /a copy of another ledger.*\/srv\/other.*finish that one/,
    ],
    'of another program': [
      async () => {
        url = await freshSchema()
        const database = openDatabase(url)
        await database.exec('CREATE TABLE payments (id integer)')
        await database.close()
      },
      /tables of another program \(payments\)/,
    ],
  }
  test.each(Object.entries(CASES))('%s is refused and left as it was', async (_, [make, message]) => {
    await make()
    const { copy, database, left } = await prepared({ url })
    const seen = `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY 1`
    const before = await rowsOf(database, seen)
    await expect(copy()).rejects.toThrow(message)
    expect(await rowsOf(database, seen)).toEqual(before)
    expect(left).toEqual([])
  })

  test('of an older release is brought up to date', async () => {
    url = await freshSchema()
    const { copy, database } = await prepared({ url })
    await migrate(database)
    await database.exec(
      'DROP TRIGGER payments_keeps ON payments; DROP TABLE leader, ledger_copying, service_key; DELETE FROM ledger_versions WHERE version >= 6',
    )
    expect(await copy()).toMatchObject({ replaced: new Map() })
  })
})

test('a table or a column that nobody copies stops the copy', async () => {
  const db = new DatabaseSync(':memory:')
  db.exec('CREATE TABLE demo_calls (day, client, used, since); CREATE TABLE newer (a)')
  expect(() => checkTables(db)).toThrow(/where newer goes/)
  const columns = [{ name: 'day', type: 'bigint', is_identity: false }]
  const query = async () => ({ rows: columns, count: 1 })
  await expect(findColumns(db, query, { table: 'demo_calls', left: ['client'] })).rejects.toThrow(
    /where used, since goes/,
  )
  db.close()
})
