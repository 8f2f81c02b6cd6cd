import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { holdServiceLock } from '../files/service-lock.ts'
import { explainLedgerFault } from './ledger-fault.ts'
import { openSqliteStore } from './store.ts'

const sqlite = (errcode: number, message: string) => Object.assign(new Error(message), { errcode })
const system = (code: string) => Object.assign(new Error(`${code}: some text`), { code })
const messageOf = (file: string, error: unknown) => String((explainLedgerFault(file, error) as Error).message)

test.each([
  [
    'a full disk',
    sqlite(13, 'database or disk is full'),
    /cannot be written, the disk is full: free some space/,
  ],
  ['another writer', sqlite(5, 'database is locked'), /being written by another process: wait for it/],
  ['damage', sqlite(11, 'malformed'), /is damaged \(malformed\): put a backup back/],
  [
    'other tables than its version has',
    sqlite(1, 'no such table: usage'),
    /out of order \(no such table: usage\): put a/,
  ],
  ['damage that is told in detail', sqlite(11 + 256, 'malformed'), /is damaged/],
  ['a disk error', sqlite(10 + 3 * 256, 'disk I/O error'), /\(disk I\/O error\): check the disk/],
])('%s: path, cause and next step', (_, error, message) => {
  const file = join(temporaryDir(), 'ledger.sqlite')
  expect(messageOf(file, error)).toMatch(message)
  expect(messageOf(file, error)).toContain(file)
})

test.each([
  ['ENOSPC', /the disk is full: free some space/],
  ['EROFS', /read-only: mount it writable, or name another directory in TOLLBOOK_DATA_DIR/],
  ['EACCES', /lacks access.*change its owner or start as that user/],
])('%s of the system: path, cause and next step', (code, message) => {
  const dir = temporaryDir()
  expect(messageOf(join(dir, 'ledger.sqlite'), system(code))).toMatch(message)
  expect(messageOf(join(dir, 'ledger.sqlite'), system(code))).toContain(dir)
})

test('what is neither of SQLite nor of the file system stays as it is', () => {
  const error = new Error('something else')
  expect(explainLedgerFault('/x/ledger.sqlite', error)).toBe(error)
})

test('a file where the directory should be is named by the lock and by the ledger', () => {
  const file = join(temporaryDir(), 'file')
  writeFileSync(file, '')
  for (const dir of [file, join(file, 'below')]) {
    expect(() => holdServiceLock(dir)).toThrow(`${file} is a file, not a directory: correct the path`)
    expect(() => openSqliteStore(join(dir, 'ledger.sqlite'))).toThrow(/is a file, not a directory/)
  }
})

test('a lock that is a directory says so', () => {
  const dir = temporaryDir()
  mkdirSync(join(dir, 'service.lock'))
  expect(() => holdServiceLock(dir)).toThrow(/service.lock cannot be used/)
})
