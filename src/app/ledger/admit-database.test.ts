import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { findDatabaseNote } from '../../ledger/files/database-note.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { openLedgerDatabase } from '../../ledger/postgres/open-ledger.ts'
import { liveEnvironment } from '../../testing/config/live-environment.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { admitDatabase, bindToDatabase } from './admit-database.ts'
import { openLedger } from './open-ledger.ts'

afterAll(dropSchemas)

type Env = Record<string, string>
const live: Env = liveEnvironment
const configOf = (dataDir: string, env: Env) => readConfig({ TOLLBOOK_DATA_DIR: dataDir, ...env })

/** A start on a database, as far as the ledger goes. */
async function start(dataDir: string, url: string, env: Env = live, name = 'the database') {
  const config = configOf(dataDir, env)
  const database = await openLedgerDatabase(url, admitDatabase(config, name))
  onTestFinished(() => database.close())
  return { database, identity: await bindToDatabase(config, database, name) }
}

async function serveFile(dataDir: string, env: Env = live) {
  const { close } = await openLedger({ config: configOf(dataDir, env), clock: systemClock, log: silentLog })
  await close()
}

const folder = () => join(temporaryDir(), 'a')

describe.skipIf(isPostgresMissing)('a ledger in a database', () => {
  test('is bound at its first start, and is the same for every process of this mode and payee', async () => {
    const url = await freshSchema()
    const { identity } = await start(folder(), url)
    expect(identity).toMatchObject({ mode: 'live', payTo: { evm: live.TOLLBOOK_PAY_TO_EVM } })
    const dataDir = folder()
    expect((await start(dataDir, url)).identity).toEqual(identity)
    expect(findDatabaseNote(dataDir)).toEqual({
      ledgerId: identity.ledgerId,
      name: 'the database',
      place: identity.place,
    })
  })

  test('of another mode or payee is refused, and nothing is written', async () => {
    const url = await freshSchema()
    await start(folder(), url)
    const dataDir = folder()
    await expect(start(dataDir, url, { TOLLBOOK_MODE: 'paper' })).rejects.toThrow(
      /the database is a ledger of live mode.*TOLLBOOK_MODE=live, or name another database/,
    )
    const other = { ...live, TOLLBOOK_PAY_TO_EVM: `0x${'b'.repeat(40)}` }
    await expect(start(dataDir, url, other)).rejects.toThrow(/were paid, and now 0xb+ and .* are to be paid/)
    expect(existsSync(dataDir)).toBe(false)
  })

  test('is bound by one of several processes that start at once, and the others are refused', async () => {
    const url = await freshSchema()
    const payees = ['b', 'c', 'd', 'e'].map((digit) => ({
      ...live,
      TOLLBOOK_PAY_TO_EVM: `0x${digit.repeat(40)}`,
    }))
    const ends = await Promise.allSettled(payees.map((env) => start(folder(), url, env)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const end of ends)
      if (end.status === 'rejected') expect(String(end.reason)).toMatch(/were paid, and now/)
  })

  test('with sales that are nobody’s, half copied or a copy is refused', async () => {
    const url = await freshSchema()
    const { database } = await start(folder(), url)
    await database.exec(`UPDATE ledger_identity SET place = replace(place, '"table":"', '"table":"9')`)
    await expect(start(folder(), url)).rejects.toThrow(/is a copy of the ledger at the database/)
    await database.exec("INSERT INTO ledger_copying VALUES (1, 'x', '/srv/ledger.sqlite', 1)")
    await expect(start(folder(), url)).rejects.toThrow(
      /copy of the ledger at \/srv\/ledger.sqlite, which was not finished: run .\/tollbook ledger copy again/,
    )
    const nobodys = await openLedgerDatabase(await freshSchema())
    onTestFinished(() => nobodys.close())
    await nobodys.exec("INSERT INTO record_leaves VALUES (0, 'a', 'b')")
    await expect(admitDatabase(configOf(folder(), live), 'it')(nobodys)).rejects.toThrow(
      /it holds sales and does not say/,
    )
  })

  test('that was dumped and put back elsewhere is a copy, one with another name is not', async () => {
    const url = await freshSchema()
    const { database } = await start(folder(), url)
    expect((await start(folder(), url, live, 'the same by another name')).identity).toBeDefined()
    // A new table with the old rows, as a dump makes it.
    await database.exec(`CREATE TABLE restored (LIKE ledger_identity INCLUDING ALL);
      INSERT INTO restored SELECT * FROM ledger_identity;
      DROP TABLE ledger_identity; ALTER TABLE restored RENAME TO ledger_identity`)
    await expect(start(folder(), url)).rejects.toThrow(/is a copy of the ledger at/)
  })
})

describe.skipIf(isPostgresMissing)('a data directory', () => {
  test('that is served from a database makes no ledger of its own, and no other database takes its place', async () => {
    const dataDir = folder()
    await start(dataDir, await freshSchema())
    await expect(serveFile(dataDir)).rejects.toThrow(/is served from the database.*set DATABASE_URL/)
    expect(existsSync(ledgerPath(dataDir))).toBe(false)
    await expect(start(dataDir, await freshSchema(), live, 'a new one')).rejects.toThrow(
      /is served from the ledger .* in the database, and a new one holds none: correct DATABASE_URL/,
    )
  })

  test('that another database is named for is told so first, and not to adopt it', async () => {
    const dataDir = folder()
    await start(dataDir, await freshSchema())
    const others = await freshSchema()
    const ofAnother = { ...live, TOLLBOOK_PAY_TO_EVM: `0x${'b'.repeat(40)}` }
    await start(folder(), others, ofAnother)
    await expect(start(dataDir, others, live, 'that of another service')).rejects.toThrow(
      /and that of another service holds another one, .*: correct DATABASE_URL/,
    )
    await expect(start(folder(), others)).rejects.toThrow(
      /: name another database in DATABASE_URL if it is the ledger of another service; else .* adopt if/,
    )
  })

  test('with a ledger that was not moved is refused on a database', async () => {
    const dataDir = folder()
    await serveFile(dataDir)
    await expect(start(dataDir, await freshSchema())).rejects.toThrow(
      /ledger.sqlite is a ledger that was not moved to the database.*ledger copy --to/,
    )
  })
})
