import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'

const unavailable = { name: 'ServiceError', code: 'store_unavailable' }
let db: DatabaseSync
let other: DatabaseSync
let commit: GroupCommit

beforeEach(() => {
  const file = join(temporaryDir(), 'test.sqlite')
  db = new DatabaseSync(file, { timeout: 0 })
  db.exec('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON')
  db.exec('CREATE TABLE kept (n INTEGER PRIMARY KEY CHECK (n >= 0), parent INTEGER REFERENCES kept (n))')
  other = new DatabaseSync(file)
  commit = createGroupCommit(db)
})
afterEach(() => {
  commit.close()
  db.close()
  other.close()
})

const add = (n: number) => db.prepare('INSERT INTO kept (n) VALUES (?)').run(n).changes
const stored = () =>
  other
    .prepare('SELECT n FROM kept ORDER BY n')
    .all()
    .map((row) => row.n)
/** Fails at COMMIT and not before. */
const addOrphan = () => {
  db.exec('PRAGMA defer_foreign_keys = ON')
  db.exec('INSERT INTO kept (n, parent) VALUES (100, 999)')
}

test('writes of one turn are one transaction, in order, each with its own result', async () => {
  const order: number[] = []
  const versionOf = () => Number(other.prepare('PRAGMA data_version').get()?.data_version)
  const before = versionOf()
  const results = [1, 2, 3].map((n) =>
    commit.write(() => {
      expect(stored()).toEqual([])
      order.push(n)
      add(n)
      return n * 10
    }),
  )
  expect(await Promise.all(results)).toEqual([10, 20, 30])
  expect([order, stored(), versionOf() - before]).toEqual([[1, 2, 3], [1, 2, 3], 1])
})

test('nothing resolves before it is committed', async () => {
  await Promise.all(
    [1, 2].map((n) => commit.write(() => add(n)).then(() => expect(stored()).toEqual([1, 2]))),
  )
})

test('a write that fails affects no other and leaves nothing behind', async () => {
  const outcomes = await Promise.allSettled([
    commit.write(() => add(1)),
    commit.write(() => [add(2), add(-1)]),
    commit.write(() => {
      add(3)
      throw new TypeError('a bug stays a bug')
    }),
    commit.write(() => add(4)),
  ])
  expect(outcomes).toMatchObject([
    { value: 1 },
    { reason: unavailable },
    { reason: { name: 'TypeError' } },
    { value: 1 },
  ])
  expect(stored()).toEqual([1, 4])
})

test('a COMMIT that fails fails all of them, and the next one works', async () => {
  const outcomes = await Promise.allSettled([commit.write(() => add(1)), commit.write(addOrphan)])
  expect(outcomes).toMatchObject([{ reason: unavailable }, { reason: unavailable }])
  expect(stored()).toEqual([])
  await commit.write(() => add(2))
  expect(stored()).toEqual([2])
})

test('a ledger locked by another process is an outage, and over when the lock is', async () => {
  other.exec('BEGIN IMMEDIATE')
  await expect(commit.write(() => add(1))).rejects.toMatchObject(unavailable)
  other.exec('COMMIT')
  await commit.write(() => add(1))
  expect(stored()).toEqual([1])
})

test('a large crowd is served in batches; beyond the limit it is sent away', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10_001 }, (_, n) => commit.write(() => add(n))),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10_000)
  expect(outcomes.at(-1)).toMatchObject({ reason: unavailable })
  expect(stored()).toHaveLength(10_000)
})

test('closing commits pending writes and rejects later ones', async () => {
  const waiting = [commit.write(() => add(1)), commit.write(() => add(2))]
  commit.close()
  expect(stored()).toEqual([1, 2])
  await Promise.all(waiting)
  await expect(commit.write(() => add(3))).rejects.toMatchObject(unavailable)
  await expect(commit.read(() => add(3))).rejects.toMatchObject(unavailable)
})
