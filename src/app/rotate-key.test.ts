import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkRecord } from '../cli/verify-record/check-record.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { findSigner } from '../ledger/files/find-signer.ts'
import { ledgerPath } from '../ledger/files/ledger-file.ts'
import { holdServiceLock } from '../ledger/files/service-lock.ts'
import { openSqliteStore } from '../ledger/sqlite/store.ts'
import { signJws } from '../payments/receipts/jws.ts'
import { makeNextKey, openServiceKey, readServiceKey } from '../payments/receipts/service-key.ts'
import { createRecordLog } from '../record/log/record-log.ts'
import { sampleClaim, sampleOutcome, sampleReply } from '../testing/ledger/sample-claim.ts'
import { temporaryDir } from '../testing/ledger/temporary-dir.ts'
import { createRecordWorld, FIRST_S } from '../testing/record/record-world.ts'
import { askOf, fetchAll } from '../testing/record/replies.ts'
import { rotateKey } from './rotate-key.ts'

const STOPPED_MS = FIRST_S * 1000 + 900_000
const ASIDE = 'service-key.json.former-2026-01-05T12-15-00.000Z'
const keyFile = (dir: string) => join(dir, 'service-key.json')
const open = (dir: string) => openServiceKey(dir, findSigner(ledgerPath(dir)), STOPPED_MS)
/** Tried at the command line. */
const admit = () => {}
const rotate = (dataDir: string, isLost = false) =>
  rotateKey({ config: { dataDir, mode: 'sandbox' }, clock: createManualClock(STOPPED_MS), isLost, admit })
/** Digests of all but the lock and what SQLite leaves beside a ledger that is only read. */
const filesOf = (dir: string) =>
  readdirSync(dir)
    .filter((name) => !/service\.lock|-wal$|-shm$/.test(name))
    .sort()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex'),
    ])

/** Goes on with the record as a start would, and checks all of it. */
async function flawsAfterStart(dir: string): Promise<string[]> {
  const key = open(dir)
  const store = openSqliteStore(ledgerPath(dir))
  const world = createRecordWorld({ book: store.record, key, nowMs: STOPPED_MS + 1_000 })
  await world.keeper.start()
  await world.windows(2, FIRST_S + 1_200)
  const { untrue } = await checkRecord(await fetchAll(askOf(world)), undefined, world.clock.now())
  await store.close()
  return untrue
}

describe('the service key of a service that was stopped', () => {
  let template: string
  const stopped = () => {
    const dir = temporaryDir()
    cpSync(template, dir, { recursive: true })
    return dir
  }
  beforeAll(async () => {
    template = mkdtempSync(join(tmpdir(), 'stopped-'))
    const key = openServiceKey(template)
    const store = openSqliteStore(ledgerPath(template))
    const world = createRecordWorld({ book: store.record, key })
    await world.keeper.start()
    await world.windows(2)
    await world.keeper.stop()
    await store.close()
  })

  afterAll(() => rmSync(template, { recursive: true, force: true }))

  test('is rotated: an entry under both keys, the old file kept for us alone, and the record goes on', async () => {
    const dir = stopped()
    const old = open(dir)
    const { change, newKeyId, kept } = await rotate(dir)
    expect(change).toMatchObject({ id: 'key-1', reason: 'rotated', old_key_id: old.id, new_key_id: newKeyId })
    expect(change?.old_signature).toEqual(expect.any(String))
    expect(kept).toBe(join(dir, ASIDE))
    expect(readFileSync(kept ?? '')).toEqual(readFileSync(keyFile(template)))
    for (const file of [kept ?? '', keyFile(dir)]) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${keyFile(dir)}.next`)).toBe(false)
    expect(open(dir).id).toBe(newKeyId)
    expect(await flawsAfterStart(dir)).toEqual([])
    expect((await rotate(dir)).change).toMatchObject({ id: 'key-2', old_key_id: newKeyId })
  })

  test.each([
    ['damaged', (file: string) => writeFileSync(file, '{'), 'is damaged'],
    ['missing', (file: string) => rmSync(file), 'is missing'],
    ['another one', (file: string) => makeOther(file), 'holds another key, did:key:'],
  ])('that is %s is refused, nothing is written, and it can be declared lost', async (_, spoil, fault) => {
    const dir = stopped()
    const { id } = open(dir)
    spoil(keyFile(dir))
    const before = filesOf(dir)
    const refused = () => open(dir)
    expect(refused).toThrow(`${keyFile(dir)} ${fault}`)
    expect(refused).toThrow(new RegExp(`a record of \\d+ leaves was signed with ${id}`))
    expect(refused).toThrow(/\.\/tollbook restore <backup>[\s\S]*\.\/tollbook rotate-key --lost/)
    await expect(rotate(dir)).rejects.toThrow(/restore <backup>.*--lost/)
    expect(filesOf(dir)).toEqual(before)

    const { change, kept } = await rotate(dir, true)
    expect(change).toMatchObject({ reason: 'lost', old_key_id: id, old_signature: null })
    expect(kept === null).toBe(fault === 'is missing')
    if (kept)
      expect(filesOf(dir)).toContainEqual([ASIDE, before.find(([name]) => name === 'service-key.json')?.[1]])
    expect(await flawsAfterStart(dir)).toEqual([])
  })

  test('of an earlier ledger that was taken back is found among the files kept aside', async () => {
    const dir = stopped()
    await rotate(dir)
    const earlier = stopped()
    for (const file of [keyFile(dir), join(dir, ASIDE)]) cpSync(file, join(earlier, basename(file)))
    expect(() => open(earlier)).toThrow(`put back the key that is in ${ASIDE}`)
    cpSync(join(earlier, ASIDE), keyFile(earlier))
    expect(await flawsAfterStart(earlier)).toEqual([])
  })

  test('that is whole cannot be declared lost', async () => {
    const dir = stopped()
    const before = filesOf(dir)
    await expect(rotate(dir, true)).rejects.toThrow(/whole and in force: leave out --lost/)
    expect(filesOf(dir)).toEqual(before)
  })

  test('stays while the service runs, or in another mode', async () => {
    const dir = stopped()
    const lock = holdServiceLock(dir)
    await expect(rotate(dir)).rejects.toThrow(/in use by a running service/)
    lock.release()
    const clock = createManualClock(STOPPED_MS)
    await expect(
      rotateKey({ config: { dataDir: dir, mode: 'live' }, clock, isLost: false, admit }),
    ).rejects.toThrow(/of the mode sandbox, and this start is live/)
    expect(readServiceKey(dir)).toMatchObject({ id: open(template).id })
  })

  test('a crash before the entry is written leaves the old key in force', async () => {
    const dir = stopped()
    makeNextKey(dir)
    expect(open(dir).id).toBe(open(template).id)
    expect(await flawsAfterStart(dir)).toEqual([])
    const next = readFileSync(`${keyFile(dir)}.next`)
    expect((await rotate(dir)).change?.id).toBe('key-1')
    expect(readFileSync(keyFile(dir))).not.toEqual(next)
  })

  /** As far as the entry, and no further. */
  async function crashedAfterEntry(dir: string): Promise<string> {
    const store = openSqliteStore(ledgerPath(dir))
    const log = createRecordLog({ book: store.record, mode: 'sandbox', key: open(dir) })
    await log.catchUp()
    const { new_key_id } = await log.changeKey(makeNextKey(dir), STOPPED_MS)
    await store.close()
    return new_key_id
  }

  test.each([
    ['after the entry', () => {}],
    ['between the two renames', (dir: string) => rmSync(keyFile(dir))],
  ])('a crash %s is finished by the next start', async (_, proceed) => {
    const dir = stopped()
    const newKeyId = await crashedAfterEntry(dir)
    proceed(dir)
    expect(open(dir).id).toBe(newKeyId)
    expect(existsSync(`${keyFile(dir)}.next`)).toBe(false)
    expect(await flawsAfterStart(dir)).toEqual([])
  })

  test('a crash after the entry is finished by running the command again, which changes nothing more', async () => {
    const dir = stopped()
    const newKeyId = await crashedAfterEntry(dir)
    expect(await rotate(dir)).toEqual({ change: undefined, newKeyId, kept: join(dir, ASIDE) })
    const { treeSize } = sizeOf(dir)
    expect(treeSize).toBe(sizeOf(template).treeSize + 1)
  })
})

describe('the service key of a service without a record', () => {
  test('is made silently in a fresh directory; there is nothing to rotate yet', async () => {
    const dir = temporaryDir()
    await expect(rotate(dir)).rejects.toThrow(/there is no ledger/)
    expect(readdirSync(dir)).toEqual([])
    expect(open(dir).id).toMatch(/^did:key:/)
  })

  test('that signed nothing may be removed when it is damaged, as it says', async () => {
    const dir = temporaryDir()
    await openSqliteStore(ledgerPath(dir)).close()
    writeFileSync(keyFile(dir), '')
    expect(() => open(dir)).toThrow(/is damaged: put it back from a backup, or remove it/)
    await expect(rotate(dir, true)).rejects.toThrow(/nothing was signed yet.*remove its file/)
    rmSync(keyFile(dir))
    expect(open(dir).id).toMatch(/^did:key:/)
  })

  test('that signed receipts is the one that is missed', async () => {
    const dir = temporaryDir()
    const key = open(dir)
    const store = openSqliteStore(ledgerPath(dir))
    await store.payments.claim(sampleClaim('k'))
    await store.payments.prepare('k', 'id of k', sampleReply())
    await store.payments.settle('k', { ...sampleOutcome(), receipt: signJws(key, { version: 1 }) })
    await store.close()
    expect(open(dir).id).toBe(key.id)
    rmSync(keyFile(dir))
    expect(() => open(dir)).toThrow(`a receipt was signed with ${key.id}`)
    expect((await rotate(dir, true)).change).toMatchObject({
      old_key_id: key.id,
      tree_size: 0,
      reason: 'lost',
    })
    expect(open(dir).id).not.toBe(key.id)
    expect(await flawsAfterStart(dir)).toEqual([])
  })
})

function makeOther(file: string): void {
  rmSync(file)
  openServiceKey(join(file, '..'))
}

function sizeOf(dir: string) {
  return { treeSize: Number(findSigner(ledgerPath(dir))?.signed.match(/\d+/)?.[0]) }
}
