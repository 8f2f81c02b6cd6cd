import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Clock, systemClock } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { sampleClaim } from '../../testing/ledger/sample-claim.ts'
import { openDatabase } from './database.ts'
import { MIGRATION_LOCK, migrate, NEWEST_VERSION } from './migrations.ts'
import { openPostgresStore } from './store.ts'

afterAll(dropSchemas)

/** Pauses are short. */
const clock: Clock = { ...systemClock, after: (_, task) => systemClock.after(50, task) }
const WAITING =
  "SELECT count(*)::integer AS waiting FROM pg_locks WHERE relation = 'payments'::regclass AND NOT granted"
const VERSION = 'SELECT max(version) AS version FROM ledger_versions'

/** A ledger whose last step is still to be made, the release before that serves from it, and a session beside both. */
async function openBefore() {
  const url = await freshSchema()
  const running = await openPostgresStore(url)
  const database = openDatabase(url)
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await database.exec(
    `DROP TRIGGER payments_keeps ON payments; DELETE FROM ledger_versions WHERE version = ${NEWEST_VERSION}`,
  )
  onTestFinished(async () => {
    await other.end()
    await Promise.all([database.close(), running.close()])
  })
  const version = async () => Number((await database.query(VERSION)).rows[0]?.version)
  const isWaiting = async () => Number((await database.query(WAITING)).rows[0]?.waiting) > 0
  return { running, database, other, version, isWaiting }
}

test('between two tries of a step are five seconds, for what came to wait behind it', async () => {
  const manual = createManualClock(0)
  const transaction = vi
    .fn()
    .mockRejectedValueOnce(Object.assign(new Error('canceling statement'), { code: '55P03' }))
    .mockResolvedValue(false)
  const migrated = migrate({ transaction }, { clock: manual })
  await new Promise(setImmediate)
  manual.advance(4_999)
  await new Promise(setImmediate)
  expect(transaction).toHaveBeenCalledTimes(1)
  manual.advance(1)
  await migrated
  expect(transaction).toHaveBeenCalledTimes(2)
})

test.skipIf(isPostgresMissing)('a new ledger is made without a word', async () => {
  const database = openDatabase(await freshSchema())
  const log = createKeptLog()
  await migrate(database, { log })
  expect((await database.query(VERSION)).rows[0]?.version).toBe(NEWEST_VERSION)
  await database.close()
  expect(log.lines).toEqual([])
})

describe.skipIf(isPostgresMissing)('a step that needs a table that somebody else keeps', () => {
  test('lets sales go on, says so once, and is made when the table is free', async () => {
    const { running, database, other, version, isWaiting } = await openBefore()
    const log = createKeptLog()
    // As a VACUUM or an ANALYZE does.
    await other.query('BEGIN; LOCK TABLE payments IN SHARE UPDATE EXCLUSIVE MODE')
    const migrated = migrate(database, { clock, log })
    for (let n = 0; n < 3; n++) {
      await expect.poll(isWaiting, { timeout: 5_000 }).toBe(true)
      expect(await running.payments.claim(sampleClaim(`claim ${n}`))).toEqual({ fresh: true })
    }
    expect(await version()).toBe(NEWEST_VERSION - 1)
    await other.query('COMMIT')
    await migrated
    expect(await version()).toBe(NEWEST_VERSION)
    expect(log.lines).toEqual(
      ['brought up to date', 'tried again'].map((text) => ({
        level: 'warn',
        text: expect.stringContaining(text),
      })),
    )
  }, 60_000)

  test('waits for another process that migrates for as long as it takes', async () => {
    const { database, other, version } = await openBefore()
    const log = createKeptLog()
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    const migrated = migrate(database, { clock, log })
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    await other.query('COMMIT')
    await migrated
    expect(await version()).toBe(NEWEST_VERSION)
    expect(log.lines).toEqual([{ level: 'warn', text: expect.stringContaining('brought up to date') }])
  }, 20_000)
})
