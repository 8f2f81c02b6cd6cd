import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { type Log, silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { openDatabase } from '../../ledger/postgres/database.ts'
import { liveEnvironment } from '../../testing/config/live-environment.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { dropSchemas, freshDatabase, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { sampleClaim } from '../../testing/ledger/sample-claim.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { createReadiness } from '../readiness.ts'
import { openLedger } from './open-ledger.ts'
import { refuseWrongClock } from './refuse-wrong-clock.ts'
import { takeLead } from './take-lead.ts'

afterAll(dropSchemas)

async function open(url: string, log: Log = silentLog) {
  const config = readConfig({ ...liveEnvironment, TOLLBOOK_DATA_DIR: temporaryDir(), DATABASE_URL: url })
  const ledger = await openLedger({ config, clock: systemClock, log })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= ledger.close()
    return closed
  }
  onTestFinished(close)
  const { leadership } = ledger
  if (!leadership) throw new Error('a process of the role all leads')
  return { ...ledger, close, lead: () => takeLead(leadership, url) }
}

test.each([
  ['ahead', 1],
  ['behind', -1],
])('a clock may be two seconds %s, and no more', async (_, sign) => {
  const query = async () => ({ rows: [{ ms: 1_000_000 }], count: 1 })
  const refuse = (offMs: number) => refuseWrongClock({ query }, { now: () => 1_000_000 + sign * offMs })
  for (const offMs of [0, 1_000, 2_000]) await refuse(offMs)
  for (const offMs of [2_001, 3_000]) await expect(refuse(offMs)).rejects.toThrow('s apart')
})

describe.skipIf(isPostgresMissing)('a ledger in a database', () => {
  test('that another was put in the place of is not served from, while a process runs', async () => {
    const url = new URL(await freshDatabase(await freshSchema()))
    url.searchParams.delete('options')
    const log = createKeptLog()
    const ledger = await open(url.href, log)
    const { leadership } = ledger
    if (!leadership) throw new Error('a process of the role all leads')
    await ledger.lead()
    await ledger.store.ping()
    const admin = openDatabase(url.href)
    onTestFinished(() => admin.close())
    // As a dump makes it: new tables with the old rows. The server that is gone has ended its sessions.
    await admin.exec(`CREATE TABLE copy (LIKE ledger_identity INCLUDING ALL);
      INSERT INTO copy SELECT * FROM ledger_identity; ALTER TABLE ledger_identity RENAME TO original;
      ALTER TABLE copy RENAME TO ledger_identity`)
    const endSessions = () =>
      admin.exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`)
    await endSessions()
    const told = (call: Promise<unknown>) =>
      call.then(
        () => 'it was served',
        (error: Error) => error.message,
      )
    // The first calls may still find connections that were ended.
    await expect.poll(() => told(ledger.store.ping()), { timeout: 5_000 }).toContain('holds another ledger')
    const { payments } = ledger.store
    for (const call of [payments.find('any'), payments.claim(sampleClaim('any'))].map(told))
      expect(await call).toContain('holds another ledger')
    const causes = () => log.lines.map(({ cause }) => String(cause))
    await expect
      .poll(causes, { timeout: 5_000 })
      .toContainEqual(expect.stringContaining('holds another ledger'))
    expect([leadership.term(), leadership.isAnswered()]).toEqual([undefined, false])
    await admin.exec(
      'ALTER TABLE ledger_identity RENAME TO copy; ALTER TABLE original RENAME TO ledger_identity',
    )
    await ledger.store.ping()
    expect((await admin.query('SELECT count(*)::int AS n FROM payments')).rows).toEqual([{ n: 0 }])
    await expect.poll(() => leadership.term(), { timeout: 5_000 }).toBeGreaterThan(1)
  })

  test.each(['that has sold', 'that has not sold yet'])(
    'that was put back under the open connections of a process %s sells nothing',
    async (which) => {
      const url = await freshSchema()
      const { payments: earlier } = (await open(url)).store
      expect(await earlier.claim(sampleClaim('first'))).toEqual({ fresh: true })
      const { store } = await open(url)
      const { payments } = store
      await store.ping()
      if (which === 'that has sold') await payments.claim(sampleClaim('own'))
      const admin = openDatabase(url)
      onTestFinished(() => admin.close())
      const swap = (table: string) =>
        admin.exec(
          `ALTER TABLE ${table} RENAME TO ${table}_before; CREATE TABLE ${table} (LIKE ${table}_before INCLUDING ALL)`,
        )
      const swapBack = (table: string) =>
        admin.exec(`DROP TABLE ${table}; ALTER TABLE ${table}_before RENAME TO ${table}`)
      for (const table of ['replies', 'payments']) await swap(table)
      const reply = { text: '{}', asOfMs: 1, receipt: undefined }
      const inTheOther = 'holds another ledger'
      await expect(payments.claim(sampleClaim('first'))).rejects.toThrow(inTheOther)
      await expect(payments.enter(sampleClaim('second'), reply)).rejects.toThrow(inTheOther)
      // Another process would settle what was left there.
      expect((await admin.query('SELECT key FROM payments')).rows).toEqual([])
      await expect.poll(() => store.ping().catch(String), { timeout: 3_000 }).toContain(inTheOther)
      await swap('ledger_identity')
      await expect.poll(() => store.ping().catch(String), { timeout: 3_000 }).toContain(inTheOther)
      await expect(payments.find('first')).rejects.toThrow(inTheOther)
      for (const table of ['replies', 'payments', 'ledger_identity']) await swapBack(table)
      await store.ping()
      expect(await payments.claim(sampleClaim('first'))).toMatchObject({ fresh: false })
    },
  )

  test('is shared, and led by one process until that ends', { timeout: 40_000 }, async () => {
    const url = await freshSchema()
    const first = await open(url)
    await first.lead()
    const second = await open(url)
    await expect(second.lead()).rejects.toThrow(
      /^process \d+ \(\w+\) on .* serves from the database .* and leads.*: stop that one first$/,
    )
    expect([first.isShared, second.isShared]).toEqual([true, true])
    expect((await second.store.identity.find())?.ledgerId).toBe((await first.store.identity.find())?.ledgerId)
    const entry = { life: { atMs: 1, isStop: false }, days: [], incidents: [] }
    await expect(second.store.uptime.save(entry)).rejects.toThrow(/nothing was written/)
    await first.close()
    await second.lead()
    await second.store.uptime.save(entry)
  })

  test('has one key: a process with another one is told what to do', async () => {
    const url = await freshSchema()
    const { id } = await (await open(url)).openKey()
    const second = await open(url)
    await expect(second.openKey()).rejects.toThrow(new RegExp(`${id}.*\\n.*copy service-key.json from`))
  })

  test.each([-60_000, 60_000])('is not opened with a clock that is %d ms off', async (offMs) => {
    const url = await freshSchema()
    const config = readConfig({ ...liveEnvironment, TOLLBOOK_DATA_DIR: temporaryDir(), DATABASE_URL: url })
    const clock = { ...systemClock, now: () => systemClock.now() + offMs }
    await expect(openLedger({ config, clock, log: silentLog })).rejects.toThrow('60 s apart')
  })

  test('is not for a process whose clock is set off while it runs, until it is right again', async () => {
    const url = await freshSchema()
    const config = readConfig({ ...liveEnvironment, TOLLBOOK_DATA_DIR: temporaryDir(), DATABASE_URL: url })
    let offMs = 0
    const clock = { ...systemClock, now: () => systemClock.now() + offMs }
    const ledger = await openLedger({ config, clock, log: silentLog })
    onTestFinished(ledger.close)
    const readiness = createReadiness({ clock, store: ledger.store })
    readiness.started()
    for (const off of [0, 60_000, -60_000, 0]) {
      offMs = off
      expect(await readiness.reasons()).toEqual(off === 0 ? [] : [expect.stringContaining('60 s apart')])
    }
  })

  test('is asked by one at a time, however many want to know', async () => {
    const { store } = await open(await freshSchema())
    const pings = Array.from({ length: 30 }, () => store.ping())
    expect(new Set(pings).size).toBe(1)
    await pings[0]
    expect(store.ping()).not.toBe(pings[0])
  })

  test('that cannot be reached is told without its password', async () => {
    const opened = open('postgres://me:hunter2@127.0.0.1:1/none')
    await expect(opened).rejects.toThrow('the ledger cannot be reached')
    await expect(opened).rejects.not.toThrow(/hunter2/)
  })
})
