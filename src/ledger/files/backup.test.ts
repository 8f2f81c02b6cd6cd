import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { secret } from '../../core/secret.ts'
import { sampleClaim, sampleOutcome, sampleReply } from '../../testing/ledger/sample-claim.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import type { LedgerIdentity } from '../ports/ledger-identity.ts'
import type { Store } from '../ports/store.ts'
import { readIdentity } from '../sqlite/identity-book.ts'
import { openSqliteStore } from '../sqlite/store.ts'
import { backupDirectory } from './backup.ts'
import { refuseHalfRestored } from './half-restored.ts'
import { inspectLedger, ledgerPath, readLedger } from './ledger-file.ts'
import { isCopy, placeOf } from './place.ts'
import { restoreDirectory } from './restore.ts'
import { holdServiceLock } from './service-lock.ts'

const freshDir = temporaryDir
const nowMs = Date.parse('2026-01-05T12:00:00Z')
const ASIDE = 'before-restore-2026-01-05T12-00-00.000Z'
const KEY = '{"kty":"OKP","d":"the service key"}'
const passphrase = secret('a passphrase of some length')

async function sell({ payments }: Store, key: string): Promise<void> {
  await payments.claim(sampleClaim(key))
  await payments.prepare(key, `id of ${key}`, sampleReply())
  await payments.settle(key, sampleOutcome())
}

const restore = (
  options: Partial<Parameters<typeof restoreDirectory>[0]> & { dataDir: string; backup: string },
) =>
  restoreDirectory({ force: false, keysOnly: false, passphrase: undefined, mode: 'paper', nowMs, ...options })
const backUp = (dataDir: string, target: string, given = undefined as typeof passphrase | undefined) =>
  backupDirectory({ dataDir, target, passphrase: given })
const keyOf = (dataDir: string) => readFileSync(join(dataDir, 'service-key.json'), 'utf8')
const identityOf = (dataDir: string) => readLedger(ledgerPath(dataDir), readIdentity)

/** A data directory of paper mode with a key and one sale in it, and a backup of that. */
async function backedUp(given = undefined as typeof passphrase | undefined) {
  const dataDir = freshDir()
  const backup = join(freshDir(), 'saved.sqlite')
  const store = openSqliteStore(ledgerPath(dataDir))
  const identity: LedgerIdentity = {
    ledgerId: 'a'.repeat(32),
    mode: 'paper',
    payTo: { evm: '0xa', svm: 's' },
    place: placeOf(ledgerPath(dataDir)),
  }
  await store.identity.save(identity)
  writeFileSync(join(dataDir, 'service-key.json'), KEY)
  await sell(store, 'before')
  const facts = backUp(dataDir, backup, given)
  return { dataDir, backup, store, facts, identity }
}

describe('a backup', () => {
  test('of a running service holds ledger and keys, and only its owner can read it', async () => {
    const { backup, store, facts, identity } = await backedUp()
    await sell(store, 'after')
    expect(facts).toEqual({ payments: 1, settled: 1, replies: 1, identity, keys: ['service-key.json'] })
    expect(inspectLedger(backup)).toMatchObject({ payments: 1, settled: 1, replies: 1 })
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(backup, '..'))).toEqual(['saved.sqlite'])
    expect((await store.payments.find('after'))?.state).toBe('settled')
    await store.close()
  })

  test('never overwrites, and leaves nothing behind when it fails', async () => {
    const { dataDir, backup, store } = await backedUp()
    await store.close()
    const bytes = readFileSync(backup)
    expect(() => backUp(dataDir, backup)).toThrow(/exists already.*name another file/)
    expect(readFileSync(backup)).toEqual(bytes)
    const empty = freshDir()
    expect(() => backUp(empty, join(empty, 'b.sqlite'))).toThrow(/no ledger.*correct the path/)
    expect(() => backUp(dataDir, join(empty, 'none', 'b.sqlite'))).toThrow(/none does not exist: create it/)
    symlinkSync(join(empty, 'nowhere'), join(empty, 'dangling'))
    expect(() => backUp(dataDir, join(empty, 'dangling'))).toThrow(/exists already/)
    writeFileSync(join(empty, 'c.sqlite-wal'), 'log of another')
    expect(() => backUp(dataDir, join(empty, 'c.sqlite'))).toThrow(/c.sqlite-wal exists already/)
    expect(readdirSync(empty).sort()).toEqual(['c.sqlite-wal', 'dangling'])
  })

  test.each(['ledger.sqlite-wal', 'ledger.sqlite-shm', 'service.lock', 'sandbox-keys.json', 'restoring'])(
    'never takes the name %s, which the service would read',
    async (name) => {
      const { dataDir, store } = await backedUp()
      await store.close()
      expect(() => backUp(dataDir, join(dataDir, name))).toThrow(/name another file/)
      expect(readdirSync(dataDir).sort()).toEqual(['ledger.sqlite', 'service-key.json'])
    },
  )

  test('with a passphrase shows no key to whoever has the file, without one it does', async () => {
    const sealed = await backedUp(passphrase)
    const clear = await backedUp()
    expect(readFileSync(sealed.backup).includes('the service key')).toBe(false)
    expect(readFileSync(clear.backup).includes('the service key')).toBe(true)
    for (const { store } of [sealed, clear]) await store.close()
  })
})

describe('restoring', () => {
  test('into an empty directory puts ledger and keys back, as the only ledger of its place', async () => {
    const { backup, store, dataDir: original } = await backedUp()
    await store.close()
    const dataDir = join(freshDir(), 'new')
    expect(restore({ dataDir, backup })).toMatchObject({ settled: 1, keys: ['service-key.json'], kept: [] })
    expect(keyOf(dataDir)).toBe(KEY)
    const modes = ['ledger.sqlite', 'service-key.json'].map(
      (name) => statSync(join(dataDir, name)).mode & 0o777,
    )
    expect(modes).toEqual([0o600, 0o600])
    expect(readdirSync(dataDir).sort()).toEqual(['ledger.sqlite', 'service-key.json', 'service.lock'])
    expect(identityOf(dataDir)?.place).toBe(placeOf(ledgerPath(dataDir)))
    expect(isCopy(identityOf(dataDir)?.place ?? '', placeOf(ledgerPath(original)))).toBe(true)
    expect(readFileSync(ledgerPath(dataDir)).includes('the service key')).toBe(false)
  })

  test('goes back to the backup and keeps the other ledger, its log and its keys', async () => {
    const { dataDir, backup, store } = await backedUp()
    await sell(store, 'after')
    await store.close()
    writeFileSync(join(dataDir, 'service-key.json'), 'another key')
    writeFileSync(join(dataDir, 'sandbox-keys.json'), 'of no use for this ledger')
    expect(() => restore({ dataDir, backup })).toThrow(
      /ledger.sqlite and .*service-key.json exist: pass --force/,
    )
    const { kept, settled } = restore({ dataDir, backup, force: true })
    expect(settled).toBe(1)
    expect(kept.map((file) => file.slice(dataDir.length + 1))).toEqual([
      `ledger.sqlite.${ASIDE}`,
      `sandbox-keys.json.${ASIDE}`,
      `service-key.json.${ASIDE}`,
    ])
    expect(inspectLedger(kept[0] ?? '')).toMatchObject({ settled: 2 })
    expect(readFileSync(kept[2] ?? '', 'utf8')).toBe('another key')
    expect(keyOf(dataDir)).toBe(KEY)
    expect(existsSync(join(dataDir, 'sandbox-keys.json'))).toBe(false)

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
    const { kept } = restore({ dataDir: crashed, backup, force: true })
    expect(existsSync(`${kept[0]}-wal`)).toBe(false)
    expect(inspectLedger(kept[0] ?? '')).toMatchObject({ settled: 2 })
    expect(inspectLedger(ledgerPath(crashed))).toMatchObject({ settled: 1 })
  })

  test('a log without its ledger is kept aside, not read into the restored one', async () => {
    const { dataDir, backup, store } = await backedUp()
    await sell(store, 'after')
    const wreck = freshDir()
    writeFileSync(`${ledgerPath(wreck)}-wal`, readFileSync(`${ledgerPath(dataDir)}-wal`))
    await store.close()
    const { kept } = restore({ dataDir: wreck, backup, force: true })
    expect(existsSync(`${kept[0]}-wal`)).toBe(true)
    expect(inspectLedger(ledgerPath(wreck))).toMatchObject({ settled: 1 })
  })

  test.each([
    ['a damaged ledger', Buffer.alloc(10_000, 'wreck')],
    ['an empty file', Buffer.alloc(0)],
  ])('%s can be replaced, and is kept as it was', async (_, wreck) => {
    const { dataDir, backup, store } = await backedUp()
    await store.close()
    writeFileSync(ledgerPath(dataDir), wreck)
    const { kept } = restore({ dataDir, backup, force: true })
    expect(readFileSync(kept[0] ?? '')).toEqual(wreck)
    expect(inspectLedger(ledgerPath(dataDir))).toMatchObject({ settled: 1 })
  })

  test('only the right passphrase opens the keys, and a wrong one changes nothing', async () => {
    const { backup, store } = await backedUp(passphrase)
    await store.close()
    const dataDir = join(freshDir(), 'new')
    expect(() => restore({ dataDir, backup })).toThrow(/encrypted: name the passphrase/)
    const wrong = secret('another passphrase, as long')
    expect(() => restore({ dataDir, backup, passphrase: wrong })).toThrow(
      /does not open.*nothing was changed/,
    )
    expect(existsSync(dataDir)).toBe(false)
    restore({ dataDir, backup, passphrase })
    expect(keyOf(dataDir)).toBe(KEY)
  })

  test('only the keys, where the ledger is newer than the backup', async () => {
    const { dataDir, backup, store } = await backedUp()
    await sell(store, 'after')
    await store.close()
    rmSync(join(dataDir, 'service-key.json'))
    expect(restore({ dataDir, backup, keysOnly: true }).kept).toEqual([])
    expect(keyOf(dataDir)).toBe(KEY)
    expect(inspectLedger(ledgerPath(dataDir))).toMatchObject({ settled: 2 })
    writeFileSync(join(dataDir, 'service-key.json'), 'damaged')
    expect(() => restore({ dataDir, backup, keysOnly: true })).toThrow(/--force/)
    const { kept } = restore({ dataDir, backup, keysOnly: true, force: true })
    expect([keyOf(dataDir), readFileSync(kept[0] ?? '', 'utf8')]).toEqual([KEY, 'damaged'])
    expect(() => restore({ dataDir: freshDir(), backup, keysOnly: true })).toThrow(/is not of the ledger/)
  })

  test('nothing is touched while a service runs', async () => {
    const { dataDir, backup, store } = await backedUp()
    const lock = holdServiceLock(dataDir)
    await sell(store, 'after')
    expect(() => restore({ dataDir, backup, force: true })).toThrow(/running service/)
    expect((await store.payments.find('after'))?.state).toBe('settled')
    lock.release()
    await store.close()
  })

  test('neither a backup nor a directory of another mode', async () => {
    const { dataDir, backup, store } = await backedUp()
    await store.close()
    const elsewhere = freshDir()
    expect(() => restore({ dataDir: elsewhere, backup, mode: 'live' })).toThrow(
      /of paper mode.*set TOLLBOOK_MODE=paper/,
    )
    const live = openSqliteStore(ledgerPath(elsewhere))
    await live.identity.save({
      ledgerId: 'b'.repeat(32),
      mode: 'live',
      payTo: { evm: 'e', svm: 's' },
      place: '{}',
    })
    await live.close()
    expect(() => restore({ dataDir: elsewhere, backup, force: true })).toThrow(/of live mode/)
    expect(identityOf(elsewhere)?.mode).toBe('live')
    expect(identityOf(dataDir)?.mode).toBe('paper')
  })

  test('a backup of an earlier release has no keys: those that are there stay', async () => {
    const dataDir = freshDir()
    const old = join(freshDir(), 'old.sqlite')
    await openSqliteStore(old).close()
    writeFileSync(join(dataDir, 'service-key.json'), KEY)
    expect(restore({ dataDir, backup: old }).keys).toBeUndefined()
    expect(keyOf(dataDir)).toBe(KEY)
  })
})

describe('is not restored:', () => {
  test.each([
    ['another database', (file: string) => new DatabaseSync(file).exec('CREATE TABLE t (a)'), /not a ledger/],
    [
      'no database',
      (file: string) => writeFileSync(file, 'x'.repeat(5_000)),
      /not a database.*another backup/,
    ],
    ['an empty file', (file: string) => writeFileSync(file, ''), /is empty.*another backup/],
    ['nothing', () => {}, /no backup at .*correct the path/],
  ])('%s', (_, make, message) => {
    const dataDir = freshDir()
    const backup = join(freshDir(), 'b.sqlite')
    make(backup)
    expect(() => restore({ dataDir, backup, force: true })).toThrow(message)
    expect(readdirSync(dataDir)).toEqual([])
    refuseHalfRestored(dataDir)
  })

  test('a backup with a broken page', async () => {
    const { dataDir, backup, store } = await backedUp()
    await store.close()
    const bytes = readFileSync(backup)
    bytes.fill(0xff, 8_192, bytes.length - 4_096)
    writeFileSync(backup, bytes)
    expect(() => restore({ dataDir, backup, force: true })).toThrow(/damaged.*another backup/)
    expect(inspectLedger(ledgerPath(dataDir))).toMatchObject({ settled: 1 })
  })

  test('a backup whose rows break the rules of its tables', async () => {
    const { dataDir, backup, store } = await backedUp()
    await store.close()
    const db = new DatabaseSync(backup)
    db.exec(
      "DROP TRIGGER payments_move_forward; PRAGMA ignore_check_constraints = ON; UPDATE payments SET state = 'void'",
    )
    db.close()
    expect(() => restore({ dataDir, backup, force: true })).toThrow(/damaged.*CHECK/)
    expect(inspectLedger(ledgerPath(dataDir))).toMatchObject({ settled: 1 })
  })
})
