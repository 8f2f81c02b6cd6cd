import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { findDatabaseNote, notePath, writeDatabaseNote } from '../../ledger/files/database-note.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { openLedgerDatabase } from '../../ledger/postgres/open-ledger.ts'
import { findMoved } from '../../ledger/sqlite/moved-mark.ts'
import { liveEnvironment } from '../../testing/config/live-environment.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { someSales } from '../../testing/ledger/some-sales.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { admitDatabase, bindToDatabase } from './admit-database.ts'
import { adoptLedger } from './adopt-ledger.ts'
import { moveLedger } from './move-ledger.ts'
import { openLedger } from './open-ledger.ts'

afterAll(dropSchemas)

const configOf = (dataDir: string, env = {}) =>
  readConfig({ TOLLBOOK_DATA_DIR: dataDir, ...liveEnvironment, ...env })

async function sold() {
  const dataDir = join(temporaryDir(), 'a')
  const { store, close } = await openLedger({ config: configOf(dataDir), clock: systemClock, log: silentLog })
  await someSales(store)
  const { ledgerId } = (await store.identity.find()) ?? {}
  await close()
  return { dataDir, ledgerId }
}
const move = (dataDir: string, url: string, env = {}) =>
  moveLedger({ config: configOf(dataDir, env), url, nowMs: 5, onRows: () => {} })
const serve = (dataDir: string) =>
  openLedger({ config: configOf(dataDir), clock: systemClock, log: silentLog }).then(({ close }) => close())
const adopt = (dataDir: string, takeBack: boolean) =>
  adoptLedger(configOf(dataDir), { confirm: async () => true, takeBack }, 0)
async function serveDatabase(dataDir: string, url: string) {
  const config = configOf(dataDir)
  const database = await openLedgerDatabase(url, admitDatabase(config, 'the database'))
  onTestFinished(() => database.close())
  return bindToDatabase(config, database, 'the database')
}
function markOf(dataDir: string) {
  const db = new DatabaseSync(ledgerPath(dataDir), { readOnly: true })
  const moved = findMoved(db)
  db.close()
  return moved
}

describe.skipIf(isPostgresMissing)('a ledger that is moved', () => {
  test('serves from the database, and its file from then on not, wherever it is put', async () => {
    const { dataDir, ledgerId } = await sold()
    const url = await freshSchema()
    const { name } = await move(dataDir, url)
    expect(name).toMatch(/^the database postgres at .*schema tollbook_test_/)
    await expect(serve(dataDir)).rejects.toThrow(new RegExp(`was moved to ${name}.*set DATABASE_URL`))
    const elsewhere = `${dataDir}-renamed`
    renameSync(dataDir, elsewhere)
    await expect(serve(elsewhere)).rejects.toThrow(/was moved to/)
    renameSync(elsewhere, dataDir)
    expect((await serveDatabase(dataDir, url)).ledgerId).toBe(ledgerId)
    await expect(serveDatabase(dataDir, await freshSchema())).rejects.toThrow(/is served from the ledger/)
    expect(await move(dataDir, url)).toEqual({ name, outcome: 'already' })
    await expect(move(dataDir, await freshSchema())).rejects.toThrow(/was moved to/)
  })

  test('is taken back only by those who say so', async () => {
    const { dataDir } = await sold()
    const url = await freshSchema()
    await move(dataDir, url)
    await serveDatabase(dataDir, url)
    await expect(adopt(dataDir, false)).rejects.toThrow(/was moved to.*adopt --take-back/)
    expect(await adopt(dataDir, true)).toBe('adopted')
    expect(findDatabaseNote(dataDir)).toBeUndefined()
    await serve(dataDir)
    await expect(serveDatabase(dataDir, url)).rejects.toThrow(/a ledger that was not moved to/)
  })

  test('into a database that then does not commit is refused on both sides, and moved by the next try', async () => {
    const { dataDir } = await sold()
    const url = await freshSchema()
    const database = await openLedgerDatabase(url)
    onTestFinished(() => database.close())
    // A check at the commit: all is compared and the file is marked by then.
    await database.exec(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$;
      CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON ledger_identity DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION fail()`)
    await expect(move(dataDir, url)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(markOf(dataDir)).toContain('the database postgres')
    await expect(serve(dataDir)).rejects.toThrow(/was moved to/)
    await expect(serveDatabase(dataDir, url)).rejects.toThrow(/which was not finished/)
    await database.exec('DROP TRIGGER fail ON ledger_identity')
    expect(await move(dataDir, url)).toMatchObject({ outcome: { replaced: new Map() } })
    await serveDatabase(dataDir, url)
  })

  test('must be one that a start would take, of a service that is stopped', async () => {
    const { dataDir } = await sold()
    const url = await freshSchema()
    const running = await openLedger({ config: configOf(dataDir), clock: systemClock, log: silentLog })
    await expect(move(dataDir, url)).rejects.toThrow(/in use by a running service/)
    await running.close()
    const other = { TOLLBOOK_PAY_TO_EVM: `0x${'b'.repeat(40)}` }
    await expect(move(dataDir, url, other)).rejects.toThrow(/were paid, and now 0xb/)
    await expect(move(join(dataDir, 'none'), url)).rejects.toThrow(/there is no ledger at/)
    await expect(move(dataDir, 'mysql://me:hidden@h/d')).rejects.toThrow(
      /^what --to names is no address of PostgreSQL: write postgres:/,
    )
    const db = new DatabaseSync(ledgerPath(dataDir))
    db.exec('PRAGMA user_version = 12')
    db.close()
    await expect(move(dataDir, url)).rejects.toThrow(/earlier release: start the service once/)
    expect(markOf(dataDir)).toBeUndefined()
  })
})

test('a note of a database keeps the file from serving, also one that cannot be read', async () => {
  const { dataDir } = await sold()
  writeDatabaseNote(dataDir, { ledgerId: 'x', name: 'the database' })
  await expect(serve(dataDir)).rejects.toThrow(/was moved to the database/)
  writeFileSync(notePath(dataDir), '{')
  await expect(serve(dataDir)).rejects.toThrow(/served-from.json is damaged/)
})
