import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { backupDirectory } from '../../ledger/files/backup.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { openSandboxKeys } from '../../sandbox/keys.ts'
import { liveEnvironment } from '../../testing/config/live-environment.ts'
import { sampleClaim } from '../../testing/ledger/sample-claim.ts'
import { takeSalesAway } from '../../testing/ledger/take-sales-away.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { adoptLedger } from './adopt-ledger.ts'
import { openLedger } from './open-ledger.ts'

type Env = Record<string, string>
const configOf = (dataDir: string, env: Env = {}) => readConfig({ TOLLBOOK_DATA_DIR: dataDir, ...env })
const open = (dataDir: string, env: Env = {}) =>
  openLedger({ config: configOf(dataDir, env), clock: systemClock, log: silentLog })
const adopt = (dataDir: string, env: Env = {}) =>
  adoptLedger(configOf(dataDir, env), { confirm: async () => true }, 0)
const live: Env = liveEnvironment
const paper: Env = { TOLLBOOK_MODE: 'paper' }

/** Opens and closes, as a start and a stop. */
async function serve(dataDir: string, env: Env = {}) {
  const { store, close } = await open(dataDir, env)
  const identity = await store.identity.find()
  await close()
  return identity
}

/** A directory that was served from once. */
async function served(env: Env = {}) {
  const root = temporaryDir()
  const dataDir = join(root, 'a')
  await serve(dataDir, env)
  return { root, dataDir }
}

/** Every file with its content: what a refused start must leave as it is. */
const snapshot = (dir: string) =>
  readdirSync(dir)
    .sort()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex'),
    ])

async function expectRefusal(dataDir: string, message: RegExp, env: Env = {}) {
  const before = snapshot(dataDir)
  await expect(open(dataDir, env)).rejects.toThrow(message)
  expect(snapshot(dataDir)).toEqual(before)
}

describe('a data directory', () => {
  test('is bound at its first start, to its mode and to the addresses paid', async () => {
    const { dataDir } = await served()
    const { evm, svm } = openSandboxKeys(dataDir)
    const identity = await serve(dataDir)
    expect(identity).toMatchObject({ mode: 'sandbox', payTo: { evm, svm: svm.address } })
    expect(identity?.ledgerId).toMatch(/^[0-9a-f]{32}$/)
    expect((await serve(dataDir))?.ledgerId).toBe(identity?.ledgerId)
  })

  test.each([
    ['sandbox', {}, paper],
    ['paper', paper, {}],
    ['live', live, {}],
    ['sandbox', {}, live],
  ] as [string, Env, Env][])('of %s mode is no other mode’s', async (mode, first, other) => {
    const { dataDir } = await served(first)
    const expected =
      other === live
        ? /holds play money.*TOLLBOOK_DATA_DIR/
        : new RegExp(`ledger of ${mode} mode.*TOLLBOOK_MODE=${mode}`)
    await expectRefusal(dataDir, expected, other)
    await expect(adopt(dataDir, other)).rejects.toThrow(expected)
  })

  test('of play money is refused in live mode even when only the ledger was copied out of it', async () => {
    const { root, dataDir } = await served()
    mkdirSync(join(root, 'b'))
    cpSync(ledgerPath(dataDir), ledgerPath(join(root, 'b')))
    writeFileSync(join(root, 'b', 'service.lock'), '')
    await expectRefusal(join(root, 'b'), /ledger of sandbox mode/, live)
  })

  test('of other addresses is refused until they are adopted; the case of an EVM address does not matter', async () => {
    const { dataDir } = await served(live)
    const upper = { ...live, TOLLBOOK_PAY_TO_EVM: `0x${'A'.repeat(40)}` }
    await serve(dataDir, upper)
    const other = { ...live, TOLLBOOK_PAY_TO_EVM: `0x${'b'.repeat(40)}` }
    await expectRefusal(dataDir, /0xaaaa.*now 0xbbbb.*correct TOLLBOOK_PAY_TO_EVM.*adopt/, other)
    expect(await adopt(dataDir, other)).toBe('adopted')
    await serve(dataDir, other)
    await expectRefusal(dataDir, /now 0xaaaa/, live)
  })

  test('whose sandbox keys are gone or damaged is refused, and gets no new ones unasked', async () => {
    const { dataDir } = await served()
    const keys = join(dataDir, 'sandbox-keys.json')
    const text = readFileSync(keys)
    writeFileSync(keys, '{')
    await expectRefusal(dataDir, /sandbox-keys.json is damaged.*backup.*adopt/)
    rmSync(keys)
    await expectRefusal(dataDir, /not known who is to be paid: put .*sandbox-keys.json back/)
    writeFileSync(keys, text)
    await serve(dataDir)
    rmSync(keys)
    expect(await adopt(dataDir)).toBe('adopted')
    await serve(dataDir)
  })
})

describe('a copy', () => {
  test('is refused until it is adopted, and then the original still is none', async () => {
    const { root, dataDir } = await served()
    const copy = join(root, 'b')
    cpSync(dataDir, copy, { recursive: true, preserveTimestamps: true })
    await expectRefusal(copy, /is a copy of the ledger at .*\/a\/ledger.sqlite.*two goods.*adopt/)
    expect(await adoptLedger(configOf(copy), { confirm: async () => false }, 0)).toBe('refused')
    await expectRefusal(copy, /is a copy/)
    expect(await adopt(copy)).toBe('adopted')
    expect(await adopt(copy)).toBe('nothing to adopt')
    await serve(copy)
    await serve(dataDir)
  })

  test('made while the service ran is refused too', async () => {
    const { root, dataDir } = await served()
    const { store, close } = await open(dataDir)
    await store.payments.claim(sampleClaim('k'))
    cpSync(dataDir, join(root, 'b'), { recursive: true })
    await close()
    await expect(open(join(root, 'b'))).rejects.toThrow(/is a copy/)
  })

  test('is not what was moved, or is reached in another way', async () => {
    const { root, dataDir } = await served()
    renameSync(dataDir, join(root, 'moved'))
    symlinkSync(join(root, 'moved'), join(root, 'link'))
    for (const name of ['moved', 'moved/', 'link', 'moved/../moved']) await serve(`${root}/${name}`)
  })

  test('with hard links instead of files is refused: two services would write one file', async () => {
    const { root, dataDir } = await served()
    const linked = join(root, 'b')
    mkdirSync(linked)
    for (const name of readdirSync(dataDir)) linkSync(join(dataDir, name), join(linked, name))
    await expectRefusal(linked, /has 2 names/)
    await expectRefusal(dataDir, /has 2 names.*remove the others/)
    rmSync(linked, { recursive: true })
    await serve(dataDir)
  })

  test('is a symbolic link to the ledger alone, which the lock of its directory does not guard', async () => {
    const { root, dataDir } = await served()
    const other = join(root, 'b')
    mkdirSync(other)
    symlinkSync(ledgerPath(dataDir), ledgerPath(other))
    await expect(open(other)).rejects.toThrow(/symbolic link: set TOLLBOOK_DATA_DIR/)
  })

  test('cannot be served beside the original through a linked directory', async () => {
    const { root, dataDir } = await served()
    symlinkSync(dataDir, join(root, 'link'))
    const { close } = await open(dataDir)
    await expect(open(join(root, 'link'))).rejects.toThrow(/in use by a running service/)
    await close()
  })
})

describe('a ledger of an earlier release', () => {
  const OLD_TABLES = ['demo_calls', 'payments', 'replies', 'usage'].concat(
    ['leaves', 'heads', 'secrets', 'anchors'].map((name) => `record_${name}`),
  )
  /** As version 5 left it: no identity. */
  async function unbound(dataDir: string, payTo: string | undefined) {
    const store = openSqliteStore(ledgerPath(dataDir))
    store.usage.record({ atMs: 0, productId: 'price', via: 'free', status: 200 })
    if (payTo) await store.payments.claim(sampleClaim('k', { payTo }))
    await store.close()
    const db = new DatabaseSync(ledgerPath(dataDir))
    takeSalesAway(db)
    const newer = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !OLD_TABLES.includes(name))
    for (const name of newer) db.exec(`DROP TABLE ${name}`)
    db.exec('PRAGMA user_version = 5')
    db.close()
    writeFileSync(join(dataDir, 'service.lock'), '')
  }

  test('is refused until it is adopted', async () => {
    const dataDir = temporaryDir()
    const { evm } = openSandboxKeys(dataDir)
    await unbound(dataDir, evm)
    await expectRefusal(dataDir, /earlier release.*if it was sandbox mode, run .\/tollbook adopt/)
    expect(await adopt(dataDir)).toBe('adopted')
    expect(await serve(dataDir)).toMatchObject({ mode: 'sandbox' })
  })

  test('is not adopted into another kind of mode than it was written in', async () => {
    const play = temporaryDir()
    openSandboxKeys(play)
    await unbound(play, undefined)
    await expect(adopt(play, live)).rejects.toThrow(/holds play money/)
    const real = temporaryDir()
    await unbound(real, live.TOLLBOOK_PAY_TO_EVM)
    await expect(adopt(real)).rejects.toThrow(/not written in sandbox mode/)
    const other = { ...live, TOLLBOOK_PAY_TO_EVM: `0x${'b'.repeat(40)}` }
    await expect(adopt(real, other)).rejects.toThrow(/no payment to an address that is paid/)
    await expect(adopt(play, paper)).rejects.toThrow(/not tell whether its market was real/)
    expect(await adopt(real, live)).toBe('adopted')
    await serve(real, live)
  })

  test('that was never used is new', async () => {
    const dataDir = temporaryDir()
    await openSqliteStore(ledgerPath(dataDir)).close()
    expect(await serve(dataDir)).toMatchObject({ mode: 'sandbox' })
  })
})

describe('a first start that was killed', () => {
  test('before the ledger was whole leaves nothing in the way of the next', async () => {
    const dataDir = temporaryDir()
    writeFileSync(`${ledgerPath(dataDir)}.new`, 'half of a ledger')
    writeFileSync(`${ledgerPath(dataDir)}.new-journal`, 'half of a journal')
    await serve(dataDir)
    expect(readdirSync(dataDir).sort()).toEqual(['ledger.sqlite', 'sandbox-keys.json', 'service.lock'])
  })

  test('before it was bound starts again, in any mode', async () => {
    for (const env of [{}, paper, live]) {
      const dataDir = temporaryDir()
      await openSqliteStore(ledgerPath(dataDir)).close()
      if (env !== live) openSandboxKeys(dataDir)
      await serve(dataDir, env)
    }
  })
})

describe('what is no ledger', () => {
  test.each([
    ['an empty file', '', /is empty \(0 bytes\).*lost.*restore.*remove the file/],
    ['a byte', 'x', /is empty \(1 bytes\)/],
    ['another file', 'x'.repeat(9_000), /is not a database.*restore.*TOLLBOOK_DATA_DIR/],
  ])('%s is refused, and stays', async (_, text, message) => {
    const dataDir = temporaryDir()
    writeFileSync(ledgerPath(dataDir), text)
    writeFileSync(join(dataDir, 'service.lock'), '')
    await expectRefusal(dataDir, message)
  })

  test('a ledger that was cut off is refused', async () => {
    const { dataDir } = await served()
    const file = ledgerPath(dataDir)
    const { size } = statSync(file)
    writeFileSync(file, readFileSync(file).subarray(0, size / 2))
    await expectRefusal(dataDir, /is damaged.*restore <backup> --force/)
  })

  test('a ledger that is gone while its keys are there is not silently made anew', async () => {
    const { dataDir } = await served()
    rmSync(ledgerPath(dataDir))
    await expectRefusal(dataDir, /ledger\.sqlite is gone and sandbox-keys\.json .* restore <backup>/)
    rmSync(join(dataDir, 'sandbox-keys.json'))
    await serve(dataDir)
  })

  test('the log of a ledger that is gone is not read into a new one', async () => {
    const { root, dataDir } = await served()
    const { store, close } = await open(dataDir)
    await store.payments.claim(sampleClaim('k'))
    const lost = join(root, 'lost')
    mkdirSync(lost)
    cpSync(`${ledgerPath(dataDir)}-wal`, `${ledgerPath(lost)}-wal`)
    await close()
    await expect(open(lost)).rejects.toThrow(/is gone and its log .*-wal is still there.*restore/)
    expect(existsSync(`${ledgerPath(lost)}-wal`)).toBe(true)
  })

  test('the database of another program is refused', async () => {
    const dataDir = temporaryDir()
    new DatabaseSync(ledgerPath(dataDir)).exec('CREATE TABLE t (a)')
    writeFileSync(join(dataDir, 'service.lock'), '')
    await expectRefusal(dataDir, /database of another program/)
  })

  test('a backup in the place of the ledger is refused, since it has keys in it', async () => {
    const { root, dataDir } = await served()
    const target = join(root, 'saved.sqlite')
    backupDirectory({ dataDir, target, passphrase: undefined })
    cpSync(target, ledgerPath(dataDir))
    await expectRefusal(dataDir, /is a backup: move it away and put it back with .*restore/)
    await expect(adopt(dataDir)).rejects.toThrow(/is a backup/)
  })

  test('a directory is refused', async () => {
    const dataDir = temporaryDir()
    mkdirSync(ledgerPath(dataDir))
    await expect(open(dataDir)).rejects.toThrow(/is not a file/)
  })
})
