import { expect, test } from 'vitest'
import { someSales } from '../../../testing/ledger/some-sales.ts'
import type { Store } from '../../ports/store.ts'
import { openDatabase } from '../database.ts'
import { createSqliteStore } from '../store.ts'

/** Every step of every statement that `use` runs, as SQLite plans it. */
async function planOf(use: (store: Store) => Promise<unknown>): Promise<string[]> {
  const db = openDatabase(':memory:')
  const ran = new Set<string>()
  const prepare = db.prepare.bind(db)
  db.prepare = (sql) => {
    const statement = prepare(sql)
    for (const name of ['all', 'get'] as const) {
      const call = statement[name].bind(statement) as (...values: unknown[]) => never
      statement[name] = (...values: unknown[]) => {
        ran.add(sql)
        return call(...values)
      }
    }
    return statement
  }
  const store = createSqliteStore(db)
  await someSales(store)
  ran.clear()
  await use(store)
  expect(ran.size).toBeGreaterThan(0)
  const steps = [...ran].flatMap((sql) => prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
  await store.close()
  return steps.map(({ detail }) => String(detail))
}

/** Steps that read a table that grows with sales, days or payers. */
const reads = (steps: readonly string[], how: 'SCAN' | 'SEARCH') =>
  steps.filter((step) =>
    new RegExp(`^${how} (?:payments|p|d|y|sales_days|sales_payers|replies|r)\\b`).test(step),
  )

test('the overview reads no payment but those that are under way, and no payer but its own', async () => {
  const steps = await planOf(({ payments }) => payments.overview(['0xOWN']))
  expect(reads(steps, 'SCAN')).toEqual([expect.stringMatching(/ payments_unfinished$/)])
  expect(steps.filter((step) => /^SEARCH (?:payments|p)\b/.test(step))).toEqual([])
  expect(steps).toContainEqual(expect.stringMatching(/sales_payers USING .*sales_payers_any_case/))
})

test('what a wallet bought is found in the index of payers, and its sum in one row', async () => {
  const steps = await planOf(({ payments }) => payments.purchasesOf('0xAA', { limit: 5, offset: 1 }))
  expect(reads(steps, 'SCAN')).toEqual([])
  expect(steps).toContainEqual(expect.stringMatching(/^SEARCH payments USING COVERING INDEX payments_payer/))
  expect(steps.filter((step) => step.startsWith('USE TEMP B-TREE'))).toHaveLength(1)
})

test('totals read payments of their first day only', async () => {
  const since = await planOf(({ payments }) => payments.totals({ sinceMs: 5, exceptPayers: ['0xOWN'] }))
  const ofPayments = since.filter((step) => /^(?:SCAN|SEARCH) p\b/.test(step))
  expect(new Set(ofPayments)).toEqual(
    new Set(['SEARCH p USING INDEX payments_settled (settled_at_ms>? AND settled_at_ms<?)']),
  )
})
