import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { prepared, rowsOf } from '../../testing/ledger/copy/prepared-copy.ts'
import { readBooks } from '../../testing/ledger/copy/read-books.ts'
import { openLeadingStore } from '../../testing/ledger/leading-store.ts'
import { dropSchemas, freshDatabase, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { sale } from '../../testing/ledger/some-sales.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { openDatabase } from '../postgres/database.ts'
import { inOneMoment } from '../postgres/one-moment.ts'
import { checkDatabaseSales } from '../postgres/sales/check-sales.ts'
import { checkRecovered } from './check-recovered.ts'
import { dumpLedger } from './dump-ledger.ts'
import { manifestPath, readManifest } from './manifest.ts'
import { restoreDump } from './restore-dump.ts'

afterAll(dropSchemas)

/** A ledger in a database, with rows in every table. */
async function filled() {
  const { url, database, copy } = await prepared()
  await copy()
  return { url, database }
}

async function openStore(url: string) {
  const store = await openLeadingStore(url)
  onTestFinished(() => store.close())
  return store
}

async function open(url: string) {
  const database = openDatabase(url)
  onTestFinished(() => database.close())
  return database
}

const backup = (url: string, target = join(temporaryDir(), 'backup.dump')) =>
  dumpLedger({ url, target, nowMs: 1_000, release: '1' }).then((manifest) => ({ manifest, target }))

describe.skipIf(isPostgresMissing)('a backup of a ledger in a database', () => {
  test('is of one moment while sales go on, and put back it has the same in every table', async () => {
    const { url } = await filled()
    const store = await openStore(url)
    let isDone = false
    const selling = (async () => {
      let sold = 0
      for (; !isDone; sold++) await sale(store, `while ${sold}`, 5_000_000 + sold)
      return sold
    })()
    const { manifest, target } = await backup(url).finally(() => {
      isDone = true
      return selling
    })
    const sold = await selling
    expect(sold).toBeGreaterThan(5)
    const settled = manifest.stock.payments.settled?.count ?? 0
    expect(settled).toBeGreaterThan(0)
    const there = await freshDatabase(url)
    await restoreDump({ url: there, dump: target })
    const [row] = await rowsOf(
      await open(there),
      "SELECT count(*) AS n FROM payments WHERE state = 'settled'",
    )
    expect(Number(row?.n)).toBe(settled)
  })

  test('reads as the ledger that it is of, and can be written to', async () => {
    const { url } = await filled()
    const { target } = await backup(url)
    const there = await freshDatabase(url)
    await restoreDump({ url: there, dump: target })
    const [before, after] = [await openStore(url), await openStore(there)]
    expect(await readBooks(after)).toEqual(await readBooks(before))
    await sale(after, 'next', 9_000_000)
    await expect(
      (await open(there)).query("UPDATE payments SET state = 'claimed' WHERE state = 'settled'"),
    ).rejects.toMatchObject({ cause: { message: 'a payment only moves forward' } })
  })

  test('is two files for their owner only, and replaces nothing', async () => {
    const { url } = await filled()
    const { target } = await backup(url)
    const folder = join(target, '..')
    expect(readdirSync(folder).sort()).toEqual(['backup.dump', 'backup.dump.manifest.json'])
    for (const file of [target, manifestPath(target)]) expect(statSync(file).mode & 0o777).toBe(0o600)
    const bytes = readFileSync(target)
    await expect(backup(url, target)).rejects.toThrow('exists already')
    expect(readFileSync(target).equals(bytes)).toBe(true)
  })

  test.each([
    [
      'a byte that changed',
      (bytes: Buffer) =>
        bytes.fill(bytes[bytes.length >> 1] === 0 ? 1 : 0, bytes.length >> 1, (bytes.length >> 1) + 1),
    ],
    ['an end that is missing', (bytes: Buffer) => bytes.subarray(0, -100)],
    ['nothing', () => Buffer.alloc(0)],
  ])('with %s is refused, and the database stays empty', async (_, damage) => {
    const { url } = await filled()
    const { target } = await backup(url)
    writeFileSync(target, damage(readFileSync(target)))
    const there = await freshDatabase(url)
    await expect(restoreDump({ url: there, dump: target })).rejects.toThrow(/is damaged, or not the dump/)
    expect(await rowsOf(await open(there), "SELECT 1 FROM pg_class WHERE relname = 'payments'")).toEqual([])
  })

  test('whose manifest says otherwise is not taken for good', async () => {
    const { url } = await filled()
    const { target } = await backup(url)
    const manifest = readManifest(manifestPath(target))
    const payments = { rows: 1, sum: '2' }
    const forged = {
      ...manifest,
      stock: { ...manifest.stock, tables: { ...manifest.stock.tables, payments } },
    }
    writeFileSync(manifestPath(target), JSON.stringify(forged))
    await expect(restoreDump({ url: await freshDatabase(url), dump: target })).rejects.toThrow(
      /do not serve from it:\n {2}payments: 1 rows/,
    )
    writeFileSync(manifestPath(target), '{"format":"tollbook-dump-1"}')
    await expect(restoreDump({ url, dump: target })).rejects.toThrow('is no manifest of a dump')
  })

  test('is put into an empty database only', async () => {
    const { url, database } = await filled()
    const { target } = await backup(url)
    const [before] = await rowsOf(database, 'SELECT count(*) AS n FROM payments')
    await expect(restoreDump({ url, dump: target })).rejects.toThrow(
      /is not empty, it has .*: a backup is only put/,
    )
    expect(await rowsOf(database, 'SELECT count(*) AS n FROM payments')).toEqual([before])
    const elsewhere = new URL(await freshDatabase(url))
    elsewhere.searchParams.delete('options')
    await expect(restoreDump({ url: elsewhere.href, dump: target })).rejects.toThrow(
      /the dump is of the schema/,
    )
  })

  test('is refused of a database without a ledger, and leaves no file', async () => {
    const { url } = await filled()
    const target = join(temporaryDir(), 'backup.dump')
    await expect(backup(await freshDatabase(url), target)).rejects.toThrow('holds no ledger')
    expect(readdirSync(join(target, '..'))).toEqual([])
  })
})

describe.skipIf(isPostgresMissing)('a database that was recovered', () => {
  test('is at least as new as a manifest, or what it lacks is told', async () => {
    const { url } = await filled()
    const older = await backup(url)
    const store = await openStore(url)
    await sale(store, 'later', 9_000_000_000)
    await store.record.append({
      from: 2,
      leaves: [{ id: 'w3', text: '{}' }],
      head: { treeSize: 3, rootHash: '3'.repeat(64), atMs: 3, keyId: 'k', mode: 'sandbox', signature: 's' },
      keep: [],
      forget: [],
    })
    const newer = await backup(url)
    expect(await checkRecovered(url, older.manifest)).toEqual([])
    expect(await checkRecovered(url, newer.manifest)).toEqual([])
    const there = await freshDatabase(url)
    await restoreDump({ url: there, dump: older.target })
    expect(await checkRecovered(there, older.manifest)).toEqual([])
    expect(await checkRecovered(there, newer.manifest)).toEqual([
      expect.stringMatching(/^the head of 3 leaves that was signed is not there/),
      expect.stringMatching(/^the sale .* is not settled there/),
      expect.stringMatching(/sales are settled there/),
      'the record has 2 leaves there, and had 3',
    ])
    const other = { ...older.manifest, stock: { ...older.manifest.stock, ledger_id: 'x' } }
    await expect(checkRecovered(url, other)).rejects.toThrow(
      /the manifest is of x: name a manifest of this database/,
    )
    const head = older.manifest.stock.newest_head
    const forged = {
      ...older.manifest,
      stock: { ...older.manifest.stock, newest_head: head && { ...head, signature: 'z' } },
    }
    expect(await checkRecovered(url, forged)).toEqual([expect.stringContaining('is another than the one')])
  })
})

describe.skipIf(isPostgresMissing)('sums in a database', () => {
  test('are those of the payments, counted or not yet, and a wrong one is named', async () => {
    const { url, database } = await filled()
    const check = () => inOneMoment(database, checkDatabaseSales)
    expect(await check()).toEqual([])
    await sale(await openStore(url), 'uncounted', 9_000_000)
    expect(await check()).toEqual([])
    await database.query('UPDATE sales_days SET sales = sales + 1 WHERE day = 3')
    expect(await check()).toEqual([
      expect.stringMatching(/^sales_days has day 3, .*; the payments do not say so$/),
      expect.stringMatching(/^sales_days lacks day 3, /),
    ])
  })
})
