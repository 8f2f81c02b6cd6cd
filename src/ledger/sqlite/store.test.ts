import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { sampleClaim, sampleOutcome, sampleReply } from '../../testing/ledger/sample-claim.ts'
import { storeContract } from '../../testing/ledger/store-contract.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { PAYMENT_KEEPS } from '../kept-columns.ts'
import { openDatabase } from './database.ts'
import { createSqliteDemoCounters } from './demo-counters.ts'
import { createGroupCommit } from './group-commit.ts'
import { createSqliteStore, openSqliteStore } from './store.ts'

const freshFile = () => join(temporaryDir(), 'deeper', 'ledger.sqlite')
const unavailable = { code: 'store_unavailable' }

storeContract('SQLite', () => {
  const file = freshFile()
  const open = async () => openSqliteStore(file)
  return { open, reopen: open }
})

test('writes are durable against a power cut: WAL with synchronous FULL', () => {
  const db = openDatabase(freshFile())
  expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
  db.close()
})

test('only its owner can read the ledger and its log', async () => {
  const file = freshFile()
  const store = openSqliteStore(file)
  await store.payments.claim(sampleClaim('k'))
  const modes = [file, `${file}-wal`].map((each) => statSync(each).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600])
  await store.close()
})

test('a ledger of a newer release is left alone', async () => {
  const file = freshFile()
  await openSqliteStore(file).close()
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version = 999')
  db.close()
  expect(() => openSqliteStore(file)).toThrow(/newer/)
})

test('a ledger of the first release is brought up to date and keeps what it has', async () => {
  const file = join(temporaryDir(), 'ledger.sqlite')
  const db = new DatabaseSync(file)
  db.exec(`CREATE TABLE demo_calls (day INTEGER NOT NULL, client TEXT NOT NULL, used INTEGER NOT NULL CHECK (used >= 0),
    PRIMARY KEY (day, client)) STRICT, WITHOUT ROWID; INSERT INTO demo_calls VALUES (10, 'a', 3); PRAGMA user_version = 1`)
  db.close()
  const store = openSqliteStore(file)
  expect(await store.demo.load(10)).toEqual(new Map([['a', 3]]))
  expect(await store.payments.claim(sampleClaim('k'))).toEqual({ fresh: true })
  await store.close()
})

test('a file that is no ledger is refused', () => {
  const file = join(temporaryDir(), 'ledger.sqlite')
  writeFileSync(file, 'this is not a database, it only has the name of one'.repeat(100))
  expect(() => openSqliteStore(file)).toThrow()
})

test('a full disk is an outage: nothing is half-written, and it goes on when there is room', async () => {
  const db = openDatabase(freshFile())
  const store = createSqliteStore(db)
  const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count)
  db.exec(`PRAGMA max_page_count = ${pages + 40}`)
  const large = sampleReply({ text: 'x'.repeat(20_000) })
  const buy = async (key: string) => {
    await store.payments.claim(sampleClaim(key))
    return store.payments.prepare(key, `id of ${key}`, large)
  }
  const keys = Array.from({ length: 60 }, (_, n) => `k${n}`)
  const outcomes = await Promise.allSettled(keys.map(buy))
  const bought = keys.filter((_, n) => outcomes[n]?.status === 'fulfilled')
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(bought.length).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused) expect(reason).toMatchObject(unavailable)

  for (const key of keys) {
    const row = await store.payments.find(key)
    expect(row?.state === 'settling').toBe(bought.includes(key))
    expect(row?.reply).toEqual(bought.includes(key) ? large : undefined)
  }
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })

  db.exec('PRAGMA max_page_count = 1000000')
  expect(await buy('afterwards')).toBe(true)
  await store.close()
})

test('free calls that were rolled back with a write beside them are counted once', async () => {
  const db = openDatabase(freshFile())
  const commit = createGroupCommit(db)
  const demo = createSqliteDemoCounters(db, commit)
  await demo.take(10, [['a', 9]])
  const steps = [demo.take(10, [['a', 9]]), demo.giveBack(10, ['b']), demo.take(10, [['b', 9]])]
  const fault = commit.write(() => {
    throw new Error('no')
  })
  await expect(fault).rejects.toThrow('no')
  await Promise.all(steps)
  expect(await demo.used(10, ['a', 'b'])).toEqual([2, 1])
  db.exec('ALTER TABLE demo_calls RENAME TO away')
  await expect(demo.take(10, [['a', 9]])).rejects.toMatchObject(unavailable)
  db.exec('ALTER TABLE away RENAME TO demo_calls')
  expect(await demo.used(10, ['a'])).toEqual([2])
  expect(await demo.take(10, [['a', 9]])).toEqual({ isTaken: true, used: [3] })
  expect(await demo.load(10)).toEqual(new Map([['a', 3]]).set('b', 1))
  db.close()
})

test('the tables themselves refuse what the code would never do', async () => {
  const db = openDatabase(freshFile())
  const { payments, close } = createSqliteStore(db)
  await payments.claim(sampleClaim('k'))
  await payments.prepare('k', 'id of k', sampleReply())
  await payments.settle('k', sampleOutcome())
  await payments.purgeReplies(Number.MAX_SAFE_INTEGER)
  await payments.claim(sampleClaim('claimed'))
  const forbidden = [
    "UPDATE payments SET state = 'void', tx = NULL, settled_at_ms = NULL WHERE key = 'k'",
    "UPDATE payments SET tx = 'other' WHERE key = 'k'",
    "UPDATE payments SET state = 'settled', tx = 'x', settled_at_ms = 1 WHERE key = 'claimed'",
    "UPDATE payments SET state = 'settling', tx = 'x' WHERE key = 'claimed'",
    "UPDATE payments SET amount = '-1' WHERE key = 'claimed'",
    ...PAYMENT_KEEPS.map((column) => `UPDATE payments SET ${column} = '1' WHERE key = 'claimed'`),
    "DELETE FROM payments WHERE key = 'k'",
    'INSERT INTO replies (payment, text) VALUES (99, 1)',
  ]
  for (const sql of forbidden) expect(() => db.exec(sql), sql).toThrow(/forward|claim|keeps|CHECK|FOREIGN/)
  await close()
})

test('usage is saved after a second, without anybody asking', async () => {
  const file = freshFile()
  const clock = createManualClock(0)
  const store = openSqliteStore(file, { clock })
  const other = openDatabase(file)
  const saved = () => other.prepare('SELECT sum(calls) AS calls FROM usage').get()?.calls
  for (let n = 0; n < 3; n++) store.usage.record({ atMs: 0, productId: 'price', via: 'free', status: 200 })
  clock.advance(999)
  await store.demo.take(1, [['a', 2]])
  expect(saved()).toBeNull()
  clock.advance(1)
  await store.demo.take(1, [['a', 2]])
  expect(saved()).toBe(3)
  other.close()
  await store.close()
})

test('usage that could not be saved is saved later; more kinds of calls than there is room for are dropped', async () => {
  const file = freshFile()
  const clock = createManualClock(0)
  const store = openSqliteStore(file, { clock })
  for (let status = 0; status < 5_000; status++)
    store.usage.record({ atMs: 0, productId: 'price', via: 'free', status })
  expect(store.usage.dropped).toBe(5_000 - 4_096)
  const other = openDatabase(file)
  other.exec('ALTER TABLE usage RENAME TO away')
  await expect(store.usage.perDay(0)).rejects.toMatchObject(unavailable)
  other.exec('ALTER TABLE away RENAME TO usage')
  expect(await store.usage.perDay(0)).toHaveLength(4_096)
  other.close()
  await store.close()
})
