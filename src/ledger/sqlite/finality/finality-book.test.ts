import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../core/time/time.ts'
import { sale, someSales } from '../../../testing/ledger/some-sales.ts'
import { takeSalesAway } from '../../../testing/ledger/take-sales-away.ts'
import { temporaryDir } from '../../../testing/ledger/temporary-dir.ts'
import { openDatabase } from '../database.ts'
import { createSqliteStore } from '../store.ts'
import { AFTER } from './finality-book.ts'

const BASE = 'eip155:8453'

test('of an earlier release the last day of each network is looked at again, and no more', async () => {
  const file = join(temporaryDir(), 'ledger.sqlite')
  const db = openDatabase(file)
  const store = createSqliteStore(db)
  await someSales(store)
  await sale(store, 'last', 5 * DAY_MS)
  takeSalesAway(db)
  db.exec('PRAGMA user_version = 10')
  await store.close()
  const migrated = createSqliteStore(openDatabase(file))
  expect(await migrated.finality.mark(BASE)).toEqual({ settledAtMs: 4 * DAY_MS, seq: 0 })
  expect(await migrated.finality.mark('solana:5')).toEqual({ settledAtMs: 2, seq: 0 })
  await migrated.close()
})

test('the table itself refuses what the code would never do', async () => {
  const db = openDatabase(join(temporaryDir(), 'ledger.sqlite'))
  const store = createSqliteStore(db)
  await someSales(store)
  const findings = [
    { key: 'a', state: 'lost', transaction: undefined, atMs: 1 },
    { key: 'b', state: 'open', transaction: undefined, atMs: 1 },
  ] as const
  await store.finality.pass(BASE, { settledAtMs: 1, seq: 1 }, findings)
  const seqOf = (key: string) => `(SELECT seq FROM payments WHERE key = '${key}')`
  const forbidden = [
    `UPDATE undone_payments SET state = 'open', decided_at_ms = NULL WHERE payment = ${seqOf('a')}`,
    `UPDATE undone_payments SET state = 'paid', new_tx = 'x' WHERE payment = ${seqOf('a')}`,
    `UPDATE undone_payments SET found_at_ms = 2 WHERE payment = ${seqOf('b')}`,
    `UPDATE undone_payments SET state = 'paid', decided_at_ms = 2 WHERE payment = ${seqOf('b')}`,
    'DELETE FROM undone_payments',
    `INSERT INTO undone_payments VALUES (${seqOf('open')}, 'open', 1, NULL, NULL)`,
    `INSERT OR REPLACE INTO undone_payments VALUES (${seqOf('a')}, 'open', 1, NULL, NULL)`,
  ]
  for (const sql of forbidden) expect(() => db.exec(sql), sql).toThrow(/forward|CHECK|keeps|added|settled/)
  await store.close()
})

test('rows are found in the index of settled ones, whatever their number', async () => {
  const db = openDatabase(':memory:')
  const plan = db
    .prepare(`EXPLAIN QUERY PLAN ${AFTER}`)
    .all()
    .map(({ detail }) => String(detail))
  expect(plan).toEqual([expect.stringMatching(/^SEARCH p USING (?:COVERING )?INDEX payments_settled/)])
  db.close()
})
