import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../core/time/time.ts'
import { settling } from '../../../testing/ledger/payment-contract.ts'
import { sampleOutcome } from '../../../testing/ledger/sample-claim.ts'
import { sale, someSales } from '../../../testing/ledger/some-sales.ts'
import { takeSalesAway } from '../../../testing/ledger/take-sales-away.ts'
import { temporaryDir } from '../../../testing/ledger/temporary-dir.ts'
import { openDatabase } from '../database.ts'
import { createSqliteStore } from '../store.ts'
import { checkSales } from './check-sales.ts'

const freshFile = () => join(temporaryDir(), 'ledger.sqlite')

/** Sales of several days, networks, products and payers, one of them void before, and amounts beyond 63 bits. */
async function sold(db: DatabaseSync) {
  const store = createSqliteStore(db)
  await someSales(store)
  await settling(store, 'revived', { payer: '0xBB' })
  await store.payments.void('revived')
  await store.payments.settle('revived', sampleOutcome({ settledAtMs: 3 * DAY_MS }))
  await store.payments.settle('revived', sampleOutcome({ settledAtMs: 4 * DAY_MS }))
  // The later sale is recorded first.
  for (const [n, atMs] of [9, 5, 7].entries())
    await sale(store, `large ${n}`, atMs, { payer: '0xaa', amount: '9'.repeat(18) })
  return store
}

test('sums are those of the rows, also of a ledger that was written before there were any', async () => {
  const file = freshFile()
  const db = openDatabase(file)
  const store = await sold(db)
  expect(checkSales(db)).toEqual([])
  const before = [await store.payments.totals({ exceptPayers: [] }), await store.payments.overview(['0xOWN'])]
  takeSalesAway(db)
  db.exec('PRAGMA user_version = 10')
  await store.close()

  const migrated = openDatabase(file)
  expect(checkSales(migrated)).toEqual([])
  const again = createSqliteStore(migrated)
  const after = [await again.payments.totals({ exceptPayers: [] }), await again.payments.overview(['0xOWN'])]
  expect(after).toEqual(before)
  await sale(again, 'after', 5 * DAY_MS, { payer: 'new' })
  expect(checkSales(migrated)).toEqual([])
  await again.close()
})

test('a write that fails leaves neither the row settled nor a sum changed', async () => {
  const db = openDatabase(freshFile())
  const store = await sold(db)
  await settling(store, 'k', { payer: 'one' })
  db.exec(`CREATE TRIGGER fails BEFORE INSERT ON sales_payer_days BEGIN SELECT RAISE(ABORT, 'no'); END`)
  await expect(store.payments.settle('k', sampleOutcome())).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  expect((await store.payments.find('k'))?.state).toBe('settling')
  expect(checkSales(db)).toEqual([])
  db.exec('DROP TRIGGER fails')
  await store.payments.settle('k', sampleOutcome())
  expect(checkSales(db)).toEqual([])
  await store.close()
})

test.each([
  ['UPDATE sales_days SET sales = sales + 1 WHERE day = 3', /^sales_days has day 3,.*sales 2/],
  ['DELETE FROM sales_days WHERE day = 3', /^sales_days lacks day 3,/],
  [
    "UPDATE sales_payers SET low = low + 1 WHERE payer = '0xBB'",
    /^sales_payers has payer 0xBB, sales 1,.*low 1001/,
  ],
  ['DELETE FROM sales_payer_days WHERE day = 3', /^sales_payer_days lacks day 3, payer 0xBB/],
  ["UPDATE sales_payers SET id = 99 WHERE payer = '0xBB'", /largest id is their number has payers 99/],
])('a sum that is not that of the rows is found: %s', async (damage, told) => {
  const db = openDatabase(freshFile())
  const store = await sold(db)
  db.exec(damage)
  expect(checkSales(db)).toContainEqual(expect.stringMatching(told))
  await store.close()
})

test('payers are only added: their largest id is their number', async () => {
  const db = openDatabase(freshFile())
  const store = await sold(db)
  expect(() => db.exec('DELETE FROM sales_payers')).toThrow(/only added/)
  await store.close()
})
