import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sampleClaim, sampleOutcome, sampleReply } from '../../testing/ledger/sample-claim.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import type { Store } from '../ports/store.ts'
import { openSqliteStore } from '../sqlite/store.ts'
import { backupLedger } from './backup.ts'
import { inspectLedger, ledgerPath } from './ledger-file.ts'
import { restoreLedger } from './restore.ts'
import { holdServiceLock } from './service-lock.ts'

const freshDir = temporaryDir
const nowMs = Date.parse('2026-01-05T12:00:00Z')

async function sell({ payments }: Store, key: string): Promise<void> {
  await payments.claim(sampleClaim(key))
  await payments.prepare(key, 'boot-1', sampleReply())
  await payments.settle(key, sampleOutcome())
}

/** A data directory with one sale in it and a backup of that. */
async function backedUp() {
  const dataDir = freshDir()
  const backup = join(dataDir, 'saved.sqlite')
  const store = openSqliteStore(ledgerPath(dataDir))
  await sell(store, 'before')
  backupLedger(ledgerPath(dataDir), backup)
  return { dataDir, backup, store }
}

test('a backup of a running service holds what was committed, and only its owner can read it', async () => {
  const { backup, store, dataDir } = await backedUp()
  await sell(store, 'after')
  expect(inspectLedger(backup)).toEqual({ payments: 1, settled: 1, replies: 1 })
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir).filter((name) => name.includes('draft'))).toEqual([])
  expect((await store.payments.find('after'))?.state).toBe('settled')
  await store.close()
})

test('a backup never overwrites, and leaves nothing behind when it fails', async () => {
  const { dataDir, backup, store } = await backedUp()
  await store.close()
  const bytes = readFileSync(backup)
  expect(() => backupLedger(ledgerPath(dataDir), backup)).toThrow(/exists already/)
  expect(readFileSync(backup)).toEqual(bytes)
  const empty = freshDir()
  expect(() => backupLedger(ledgerPath(empty), join(empty, 'b.sqlite'))).toThrow(/no ledger/)
  expect(readdirSync(empty)).toEqual([])
})

test('restoring goes back to the backup and keeps the other ledger, its log included', async () => {
  const { dataDir, backup, store } = await backedUp()
  await sell(store, 'after')
  await store.close()
  expect(() => restoreLedger({ dataDir, backup, force: false, nowMs })).toThrow(/--force/)
  const { kept, settled } = restoreLedger({ dataDir, backup, force: true, nowMs })
  expect([settled, kept]).toEqual([1, `${ledgerPath(dataDir)}.before-restore-2026-01-05T12-00-00.000Z`])
  expect(inspectLedger(kept ?? '')).toMatchObject({ settled: 2 })

  const restored = openSqliteStore(ledgerPath(dataDir))
  expect((await restored.payments.find('before'))?.reply).toBeDefined()
  expect(await restored.payments.find('after')).toBeUndefined()
  await sell(restored, 'later')
  await restored.close()
  expect(statSync(ledgerPath(dataDir)).mode & 0o777).toBe(0o600)
})

test('what a killed service had only in its log is kept aside too', async () => {
  const { dataDir, backup, store } = await backedUp()
  await sell(store, 'after')
  const crashed = freshDir()
  for (const suffix of ['', '-wal'])
    writeFileSync(`${ledgerPath(crashed)}${suffix}`, readFileSync(`${ledgerPath(dataDir)}${suffix}`))
  await store.close()
  const { kept } = restoreLedger({ dataDir: crashed, backup, force: true, nowMs })
  expect(existsSync(`${kept}-wal`)).toBe(false)
  expect(inspectLedger(kept ?? '')).toMatchObject({ settled: 2 })
  expect(inspectLedger(ledgerPath(crashed))).toMatchObject({ settled: 1 })
})

test('an empty data directory needs no force', async () => {
  const { backup, store } = await backedUp()
  await store.close()
  const dataDir = freshDir()
  expect(restoreLedger({ dataDir, backup, force: false, nowMs })).toMatchObject({
    settled: 1,
    kept: undefined,
  })
})

test('a damaged ledger can be replaced, and is kept as it was', async () => {
  const { dataDir, backup, store } = await backedUp()
  await store.close()
  const wreck = Buffer.alloc(10_000, 'wreck')
  writeFileSync(ledgerPath(dataDir), wreck)
  const { kept } = restoreLedger({ dataDir, backup, force: true, nowMs })
  expect(readFileSync(kept ?? '')).toEqual(wreck)
  expect(inspectLedger(ledgerPath(dataDir))).toMatchObject({ settled: 1 })
})

test('nothing is touched while a service runs', async () => {
  const { dataDir, backup, store } = await backedUp()
  const lock = holdServiceLock(dataDir)
  await sell(store, 'after')
  expect(() => restoreLedger({ dataDir, backup, force: true, nowMs })).toThrow(/running service/)
  expect((await store.payments.find('after'))?.state).toBe('settled')
  lock.release()
  await store.close()
})

test.each([
  ['another database', (file: string) => new DatabaseSync(file).exec('CREATE TABLE t (a)'), /not a ledger/],
  ['no database', (file: string) => writeFileSync(file, 'x'.repeat(5_000)), /./],
  ['nothing', () => {}, /no ledger/],
])('%s is not restored', (_, make, message) => {
  const dataDir = freshDir()
  const backup = join(freshDir(), 'b.sqlite')
  make(backup)
  expect(() => restoreLedger({ dataDir, backup, force: true, nowMs })).toThrow(message)
  expect(existsSync(ledgerPath(dataDir))).toBe(false)
})

test('a backup with a broken page is not restored', async () => {
  const { dataDir, backup, store } = await backedUp()
  await store.close()
  const bytes = readFileSync(backup)
  bytes.fill(0xff, 8_192, bytes.length - 4_096)
  writeFileSync(backup, bytes)
  expect(() => restoreLedger({ dataDir, backup, force: true, nowMs })).toThrow()
  expect(inspectLedger(ledgerPath(dataDir))).toMatchObject({ settled: 1 })
})

test('a backup whose rows break the rules of its tables is not restored', async () => {
  const { dataDir, backup, store } = await backedUp()
  await store.close()
  const db = new DatabaseSync(backup)
  db.exec(
    "DROP TRIGGER payments_move_forward; PRAGMA ignore_check_constraints = ON; UPDATE payments SET state = 'void'",
  )
  db.close()
  expect(() => restoreLedger({ dataDir, backup, force: true, nowMs })).toThrow(/damaged.*CHECK/)
  expect(inspectLedger(ledgerPath(dataDir))).toMatchObject({ settled: 1 })
})
