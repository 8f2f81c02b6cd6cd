import { join } from 'node:path'
import { expect, test } from 'vitest'
import { someSales } from '../../../testing/ledger/some-sales.ts'
import { temporaryDir } from '../../../testing/ledger/temporary-dir.ts'
import { openSqliteStore } from '../store.ts'
import { createReports } from './reports.ts'

const freshFile = () => join(temporaryDir(), 'ledger.sqlite')
const unavailable = { code: 'store_unavailable' }
const MANY = { limit: 1_000, offset: 0 }

test.each(['overview', 'totals', 'purchasesOf'] as const)(
  'other work goes on while %s is read',
  async (name) => {
    const store = openSqliteStore(freshFile())
    await someSales(store)
    const { payments } = store
    const reports = {
      overview: async () => (await payments.overview([])).customers.count,
      totals: async () => (await payments.totals({ exceptPayers: [] })).count,
      purchasesOf: async () => (await payments.purchasesOf('0xAA', MANY)).rows.length,
    }
    let turns = 0
    const turn = setInterval(() => turns++, 0)
    expect(await reports[name]()).toBe(name === 'purchasesOf' ? 2 : 4)
    expect(turns).toBeGreaterThan(0)
    clearInterval(turn)
    await store.close()
  },
)

test('a ledger that cannot be read is an outage, and the next report tries again', async () => {
  const file = freshFile()
  const reports = createReports(file)
  const both = [reports.overview([]), reports.totals({ exceptPayers: [] })]
  for (const report of both) await expect(report).rejects.toMatchObject(unavailable)
  const store = openSqliteStore(file)
  await someSales(store)
  expect(await reports.totals({ exceptPayers: [] })).toMatchObject({ count: 4 })
  await reports.close()
  await store.close()
})

test('a report that is under way when the ledger is closed is rejected, and so is every later one', async () => {
  const file = freshFile()
  await openSqliteStore(file).close()
  const reports = createReports(file)
  const cut = expect(reports.overview([])).rejects.toMatchObject(unavailable)
  await reports.close()
  await cut
  await expect(reports.overview([])).rejects.toMatchObject(unavailable)
})

test('one report more than may wait is rejected', async () => {
  const file = freshFile()
  await openSqliteStore(file).close()
  const reports = createReports(file)
  const asked = Array.from({ length: 257 }, () => reports.overview([]))
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.map(({ status }) => status)).toEqual([...Array(256).fill('fulfilled'), 'rejected'])
  expect(outcomes.at(-1)).toMatchObject({ reason: unavailable })
  await reports.close()
})
