import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteStore } from './sqlite-store.ts'
import { storeContract } from './store-contract.ts'

const freshFile = () => join(mkdtempSync(join(tmpdir(), 'store-')), 'deeper', 'ledger.sqlite')

storeContract('SQLite', () => {
  const file = freshFile()
  const open = async () => openSqliteStore(file)
  return { open, reopen: open }
})

test('writes are durable against a power cut: WAL with synchronous FULL', async () => {
  const file = freshFile()
  const store = openSqliteStore(file)
  const other = new DatabaseSync(file)
  expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  other.close()
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

test('a file that is no ledger is refused', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'store-')), 'ledger.sqlite')
  writeFileSync(file, 'this is not a database, it only has the name of one'.repeat(100))
  expect(() => openSqliteStore(file)).toThrow()
})
