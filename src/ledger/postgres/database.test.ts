import { afterAll, describe, expect, test } from 'vitest'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { openDatabase } from './database.ts'
import { migrate, NEWEST_VERSION } from './migrations.ts'
import { openLedgerDatabase } from './open-ledger.ts'
import { requireWritable } from './writable.ts'

afterAll(dropSchemas)

const unavailable = { code: 'store_unavailable' }

describe.skipIf(isPostgresMissing)('the database', () => {
  test('is brought up to date once, also by several processes at the same time', async () => {
    const url = await freshSchema()
    const all = await Promise.all(Array.from({ length: 4 }, () => openLedgerDatabase(url)))
    const { rows } = await (all[0] as (typeof all)[0]).query(
      'SELECT version FROM ledger_versions ORDER BY version',
    )
    expect(rows.map(({ version }) => version)).toEqual(
      Array.from({ length: NEWEST_VERSION }, (_, index) => index + 1),
    )
    for (const database of all) await database.close()
  })

  test('of a newer release is left alone', async () => {
    const database = await openLedgerDatabase(await freshSchema())
    await database.query('INSERT INTO ledger_versions (version) VALUES ($1)', [999])
    await expect(migrate(database)).rejects.toThrow(/newer release/)
    await database.close()
  })

  test('writes to disk before it says so, whatever the server is set to', async () => {
    const url = await freshSchema()
    const lazy = openDatabase(`${url}+-c+synchronous_commit%3Doff`)
    const { rows } = await lazy.query('SHOW synchronous_commit')
    expect(rows).toEqual([{ synchronous_commit: 'on' }])
    await lazy.close()
  })

  test('keeps nothing of a transaction that failed, and goes on', async () => {
    const database = await openLedgerDatabase(await freshSchema())
    const put = 'INSERT INTO demo_calls VALUES (1, $1, $2)'
    const failed = database.transaction(async ({ query }) => {
      await query(put, ['a', 1])
      await query(put, ['b', -1])
    })
    await expect(failed).rejects.toMatchObject(unavailable)
    const thrown = database.transaction(async ({ query }) => {
      await query(put, ['a', 1])
      throw new RangeError('not this one')
    })
    await expect(thrown).rejects.toThrow(RangeError)
    await database.transaction(({ query }) => query(put, ['c', 1]))
    expect((await database.query('SELECT client FROM demo_calls')).rows).toEqual([{ client: 'c' }])
    await database.close()
  })

  test('that can only be read, as one whose standby took over, is left for a new connection', async () => {
    const database = await openLedgerDatabase(await freshSchema())
    const close = () => database.query("SELECT set_config('default_transaction_read_only', 'on', false)")
    const put = () => database.query('INSERT INTO demo_calls VALUES (1, $1, $2)', ['a', 1])
    await close()
    await expect(put()).rejects.toMatchObject(unavailable)
    expect((await put()).count).toBe(1)
    // A process to which nobody is sent, because it is not ready, writes nothing: its look must do the same.
    await close()
    await expect(requireWritable(database)).rejects.toMatchObject(unavailable)
    await requireWritable(database)
    await database.close()
  })

  test('whose connections are cut is an outage, and the next call has a new connection', async () => {
    const database = await openLedgerDatabase(await freshSchema())
    const cut = () => database.query('SELECT pg_terminate_backend(pg_backend_pid())')
    await expect(cut()).rejects.toMatchObject(unavailable)
    await expect(database.transaction(cut)).rejects.toMatchObject(unavailable)
    expect((await database.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await database.close()
  })
})

test('a server that is not there is an outage, and its address with the password is not told', async () => {
  const database = openDatabase('postgres://me:hidden@127.0.0.1:1/none')
  const asked = database.query('SELECT 1')
  await expect(asked).rejects.toMatchObject({ ...unavailable, message: 'the ledger cannot be reached' })
  await database.close()
})
