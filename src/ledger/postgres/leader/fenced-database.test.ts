import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../../testing/ledger/postgres.ts'
import { openLedgerDatabase } from '../open-ledger.ts'
import { fenceDatabase } from './fenced-database.ts'
import { RAISE } from './leader-table.ts'

afterAll(dropSchemas)

describe.skipIf(isPostgresMissing)('what only a leader may write', () => {
  async function scene(term: number | undefined) {
    const database = await openLedgerDatabase(await freshSchema())
    onTestFinished(() => database.close())
    await database.query(RAISE, ['one'])
    await database.query('CREATE TABLE acts (what text)')
    const acts = async () => (await database.query('SELECT what FROM acts')).rows.map(({ what }) => what)
    return { database, acts, fenced: fenceDatabase(database, { term: () => term }) }
  }
  const WRITE = "INSERT INTO acts VALUES ('written')"
  const refused = { code: 'store_unavailable', message: expect.stringContaining('nothing was written') }

  test('is written in the term of its leader', async () => {
    const { fenced, acts } = await scene(1)
    expect((await fenced.query(WRITE)).count).toBe(1)
    expect(await acts()).toEqual(['written'])
  })

  test('is refused by the database once another leads, whatever its sender believes', async () => {
    const { database, fenced, acts } = await scene(1)
    await database.query(RAISE, ['two'])
    await expect(fenced.query(WRITE)).rejects.toMatchObject(refused)
    await expect(fenced.transaction(({ query }) => query(WRITE))).rejects.toMatchObject(refused)
    expect(await acts()).toEqual([])
  })

  test('is not sent by who does not lead', async () => {
    const { fenced, acts } = await scene(undefined)
    await expect(fenced.query(WRITE)).rejects.toMatchObject(refused)
    expect(await acts()).toEqual([])
  })

  test('is done before the next leader has his term', async () => {
    const { database, fenced, acts } = await scene(1)
    let raised: Promise<unknown> | undefined
    await fenced.transaction(async ({ query }) => {
      await query('SELECT 1')
      raised = database.query(RAISE, ['two']).then(async () => expect(await acts()).toEqual(['written']))
      await query('SELECT pg_sleep(0.3)')
      await query(WRITE)
    })
    await raised
    expect((await database.query('SELECT term FROM leader')).rows).toEqual([{ term: '2' }])
  })

  test('waits for nobody who stands still in the middle of it', async () => {
    const { database, fenced } = await scene(1)
    const stuck = fenced.transaction(() => new Promise((resolve) => setTimeout(resolve, 6_000)))
    const failed = expect(stuck).rejects.toMatchObject({ code: 'store_unavailable' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const startedMs = performance.now()
    await database.query(RAISE, ['two'])
    expect(performance.now() - startedMs).toBeLessThan(3_000)
    await failed
  }, 15_000)
})
