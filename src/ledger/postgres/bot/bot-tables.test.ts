import { afterAll, expect, test } from 'vitest'
import { BOT_TABLES, fillBotBooks, REFUSED } from '../../../testing/ledger/bot/filled-bot-books.ts'
import { openLeadingStore } from '../../../testing/ledger/leading-store.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../../testing/ledger/postgres.ts'
import { openDatabase } from '../database.ts'

afterAll(dropSchemas)

async function filled() {
  const url = await freshSchema()
  const store = await openLeadingStore(url)
  await fillBotBooks(store)
  await store.close()
  return openDatabase(url)
}

test.skipIf(isPostgresMissing)('the tables refuse what would change what was written', async () => {
  const database = await filled()
  const rows = async () => {
    const all: unknown[] = []
    for (const table of BOT_TABLES) all.push((await database.query(`SELECT * FROM ${table}`)).rows)
    return all
  }
  const before = await rows()
  for (const each of before) expect(each).not.toEqual([])
  const isRefusal = /forward|only added to|keeps what|check constraint|unique constraint|foreign key/
  for (const sql of [...REFUSED, ...BOT_TABLES.map((table) => `TRUNCATE ${table} CASCADE`)]) {
    const refused = await database.query(sql).catch((error: Error) => error.cause)
    expect([sql, String(refused)]).toEqual([sql, expect.stringMatching(isRefusal)])
  }
  expect(await rows()).toEqual(before)
  await database.close()
})

test.skipIf(isPostgresMissing)(
  'the cash and shares of the paper account are what its rows add up to',
  async () => {
    const database = await filled()
    const sum = `
      SELECT (SELECT sum(-notional_e6 - fee_e6) FROM paper_fills) + (SELECT sum(amount_e6) FROM paper_payouts) AS cash,
        (SELECT sum(shares_e6) FROM paper_fills) - (SELECT sum(shares_e6) FROM paper_payouts) AS shares`
    const kept = 'SELECT flow_e6 AS cash, (SELECT shares_e6 FROM paper_holdings) AS shares FROM paper_cash'
    expect((await database.query(kept)).rows).toEqual((await database.query(sum)).rows)
    await database.close()
  },
)
