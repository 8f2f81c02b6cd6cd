import { expect, test } from 'vitest'
import { BOT_TABLES, fillBotBooks, REFUSED } from '../../../testing/ledger/bot/filled-bot-books.ts'
import { openDatabase } from '../database.ts'
import { createSqliteStore } from '../store.ts'

async function filled() {
  const db = openDatabase(':memory:')
  const store = createSqliteStore(db)
  await fillBotBooks(store)
  return { db, close: store.close }
}

test.each([
  ...REFUSED,
  ...BOT_TABLES.map((table) => `INSERT OR REPLACE INTO ${table} SELECT * FROM ${table} LIMIT 1`),
])('the tables refuse: %s', async (sql) => {
  const { db, close } = await filled()
  const rows = () => BOT_TABLES.map((table) => db.prepare(`SELECT * FROM ${table}`).all())
  const before = rows()
  expect(before.every((each) => each.length > 0)).toBe(true)
  expect(() => db.exec(sql)).toThrow(/forward|only added to|keeps what|CHECK|UNIQUE|FOREIGN/)
  expect(rows()).toEqual(before)
  await close()
})

test('the cash and shares of the paper account are what its rows add up to', async () => {
  const { db, close } = await filled()
  const sum = db
    .prepare(`SELECT (SELECT sum(-notional_e6 - fee_e6) FROM paper_fills) + (SELECT sum(amount_e6) FROM paper_payouts) AS cash,
      (SELECT sum(shares_e6) FROM paper_fills) - (SELECT sum(shares_e6) FROM paper_payouts) AS shares`)
    .get()
  const kept = db
    .prepare('SELECT flow_e6 AS cash, (SELECT shares_e6 FROM paper_holdings) AS shares FROM paper_cash')
    .get()
  expect(kept).toEqual(sum)
  await close()
})
