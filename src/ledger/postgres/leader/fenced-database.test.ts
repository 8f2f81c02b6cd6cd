import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../../testing/ledger/postgres.ts'
import type { Database } from '../database.ts'
import { openLedgerDatabase } from '../open-ledger.ts'
import { fenceDatabase } from './fenced-database.ts'
import { RAISE } from './leader-table.ts'

afterAll(dropSchemas)

describe.skipIf(isPostgresMissing)('what only a leader may write', () => {
  const raise = async (database: Database, holder: string) =>
    Number((await database.query(RAISE, [holder])).rows[0]?.term)

  async function scene({ leads }: { leads: boolean }) {
    const database = await openLedgerDatabase(await freshSchema())
    onTestFinished(() => database.close())
    const term = await raise(database, 'one')
    await database.query('CREATE TABLE acts (what text)')
    const acts = async () => (await database.query('SELECT what FROM acts')).rows.map(({ what }) => what)
    return {
      database,
      acts,
      term,
      fenced: fenceDatabase(database, { term: () => (leads ? term : undefined) }),
    }
  }
  const WRITE = "INSERT INTO acts VALUES ('written')"
  const refused = { code: 'store_unavailable', message: expect.stringContaining('nothing was written') }

  test('is written in the term of its leader', async () => {
    const { fenced, acts } = await scene({ leads: true })
    expect((await fenced.query(WRITE)).count).toBe(1)
    expect(await acts()).toEqual(['written'])
  })

  test('is refused by the database once another leads, whatever its sender believes', async () => {
    const { database, fenced, acts } = await scene({ leads: true })
    await database.query(RAISE, ['two'])
    await expect(fenced.query(WRITE)).rejects.toMatchObject(refused)
    await expect(fenced.transaction(({ query }) => query(WRITE))).rejects.toMatchObject(refused)
    expect(await acts()).toEqual([])
  })

  test('has a term that was never given before, also on a database that has lost the newest ones', async () => {
    const { database, term } = await scene({ leads: true })
    const given = [term, await raise(database, 'two'), await raise(database, 'three')]
    expect(new Set(given).size).toBe(3)
    // As a backup has it; the guard of the table knows nothing of that.
    await database.exec('ALTER TABLE leader DISABLE TRIGGER USER; UPDATE leader SET term = 1')
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(await raise(database, 'four')).toBeGreaterThan(Math.max(...given))
  })

  test('is not sent by who does not lead', async () => {
    const { fenced, acts } = await scene({ leads: false })
    await expect(fenced.query(WRITE)).rejects.toMatchObject(refused)
    expect(await acts()).toEqual([])
  })

  test('is done before the next leader has his term', async () => {
    const { database, fenced, acts, term } = await scene({ leads: true })
    let raised: Promise<unknown> | undefined
    await fenced.transaction(async ({ query }) => {
      await query('SELECT 1')
      raised = database.query(RAISE, ['two']).then(async () => expect(await acts()).toEqual(['written']))
      await query('SELECT pg_sleep(0.3)')
      await query(WRITE)
    })
    await raised
    expect(Number((await database.query('SELECT term FROM leader')).rows[0]?.term)).toBeGreaterThan(term)
  })

  test('waits for nobody who stands still in the middle of it', async () => {
    const { database, fenced } = await scene({ leads: true })
    const stuck = fenced.transaction(() => new Promise((resolve) => setTimeout(resolve, 6_000)))
    const failed = expect(stuck).rejects.toMatchObject({ code: 'store_unavailable' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const startedMs = performance.now()
    await database.query(RAISE, ['two'])
    expect(performance.now() - startedMs).toBeLessThan(3_000)
    await failed
  }, 15_000)
})
