import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { sampleClaim } from '../../testing/ledger/sample-claim.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { openSqliteStore } from '../sqlite/store.ts'
import { BACKUPS_KEPT, createKeptBackups } from './kept-backups.ts'
import { inspectLedger, ledgerPath } from './ledger-file.ts'

const START_MS = Date.parse('2026-01-05T12:00:00Z')

/** A data directory whose ledger is in use. */
async function open() {
  const dataDir = temporaryDir()
  const store = openSqliteStore(ledgerPath(dataDir))
  await store.payments.claim(sampleClaim('a'))
  const clock = createManualClock(START_MS)
  const backups = createKeptBackups({ dataDir, passphrase: undefined, clock })
  return { dataDir, store, clock, backups, folder: join(dataDir, 'backups') }
}

test('a backup is a whole ledger that only its owner can read, made while the store is open', async () => {
  const { backups, store, folder } = await open()
  const made = await backups.make()
  expect(made).toMatchObject({
    file: join(folder, 'backup-20260105T120000000Z.sqlite'),
    settled: 0,
    keys: 0,
    kept: 1,
    removed: 0,
  })
  expect(made.bytes).toBe(statSync(made.file).size)
  expect([statSync(folder).mode & 0o777, statSync(made.file).mode & 0o777]).toEqual([0o700, 0o600])
  expect(inspectLedger(made.file).payments).toBe(1)
  await store.payments.claim(sampleClaim('b'))
  expect(inspectLedger(made.file).payments).toBe(1)
  await store.close()
})

test('the newest seven are kept, and what somebody else put there', async () => {
  const { backups, store, folder, clock } = await open()
  mkdirSync(folder)
  for (const day of ['01', '02', '03', '04', '05', '06', '07'])
    writeFileSync(join(folder, `backup-202501${day}T000000000Z.sqlite`), 'old')
  writeFileSync(join(folder, 'before-the-move.sqlite'), 'mine')
  expect(await backups.make()).toMatchObject({ kept: BACKUPS_KEPT, removed: 1 })
  clock.advance(1)
  expect(await backups.make()).toMatchObject({ kept: BACKUPS_KEPT, removed: 1 })
  expect(readdirSync(folder).sort()).toEqual([
    ...['03', '04', '05', '06', '07'].map((day) => `backup-202501${day}T000000000Z.sqlite`),
    'backup-20260105T120000000Z.sqlite',
    'backup-20260105T120000001Z.sqlite',
    'before-the-move.sqlite',
  ])
  await store.close()
})

test('many on one day leave the newest of each of the six days before it', async () => {
  const { backups, store, folder, clock } = await open()
  mkdirSync(folder)
  const old = (day: string, time: string) => `backup-${day}T${time}0000000Z.sqlite`
  const days = [
    '20251228',
    '20251229',
    '20251230',
    '20251231',
    '20260101',
    '20260102',
    '20260103',
    '20260104',
  ]
  for (const day of days) for (const time of ['01', '23']) writeFileSync(join(folder, old(day, time)), 'old')
  for (let n = 0; n < BACKUPS_KEPT + 1; n++) {
    await backups.make()
    clock.advance(1)
  }
  expect(readdirSync(folder).sort()).toEqual([
    // The seventh day is today.
    ...days.slice(2).map((day) => old(day, '23')),
    ...Array.from({ length: BACKUPS_KEPT }, (_, n) => `backup-20260105T12000000${n + 1}Z.sqlite`),
  ])
  await store.close()
})

test('one that cannot be made says why, and removes nothing', async () => {
  const { backups, store, folder, dataDir } = await open()
  await backups.make()
  await expect(backups.make()).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringMatching(/^no backup was made: .* exists already/),
  })
  await store.close()
  rmSync(ledgerPath(dataDir))
  rmSync(folder, { recursive: true })
  await expect(backups.make()).rejects.toMatchObject({
    message: expect.stringMatching(/^no backup was made: there is no ledger at/),
  })
  expect(readdirSync(folder)).toEqual([])
})
