import { afterAll, describe, expect, test } from 'vitest'
import { find, identity, prepared, rowsOf } from '../../testing/ledger/copy/prepared-copy.ts'
import { readBooks } from '../../testing/ledger/copy/read-books.ts'
import { openLeadingStore } from '../../testing/ledger/leading-store.ts'
import { dropSchemas, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { sampleClaim } from '../../testing/ledger/sample-claim.ts'
import type { Database, Statements } from '../postgres/database.ts'
import { openSqliteStore } from '../sqlite/store.ts'
import { CopyDiffersError } from './copy-ledger.ts'
import { COPIED_TABLES } from './tables.ts'
import { isSame } from './verify/difference.ts'

afterAll(dropSchemas)

describe.skipIf(isPostgresMissing)('a ledger that was copied', () => {
  test('answers as the file did, in every book', async () => {
    const { file, url, copy, source, left } = await prepared()
    for (const { table } of COPIED_TABLES)
      expect(source.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n, table).toBeGreaterThan(0)
    expect(await copy()).toMatchObject({ replaced: new Map() })
    expect(left).toEqual(['left'])
    const [before, after] = [openSqliteStore(file), await openLeadingStore(url)]
    const books = await readBooks(before)
    expect(books.purchases.count).toBe(3)
    expect(books.messages[0]?.author).toBe('a\0b')
    expect(await readBooks(after)).toEqual(books)
    await before.close()
    await after.close()
  })

  test('goes on where the file ended: numbers, claims, sums, guards', async () => {
    const { url, copy, database } = await prepared()
    await copy()
    const store = await openLeadingStore(url)
    expect((await store.watercooler.add({ atMs: 9, author: 'n', message: 'new' })).row.id).toBe(4)
    expect(await store.payments.claim(sampleClaim('new'))).toMatchObject({ fresh: true })
    expect(await store.payments.claim(sampleClaim('a'))).toMatchObject({ fresh: false })
    expect(await store.operator.addTask({ ...task, title: 'next' })).toMatchObject({ task: { id: 2 } })
    await expect(database.query('DELETE FROM record_leaves')).rejects.toMatchObject({
      code: 'store_unavailable',
    })
    await expect(database.query("UPDATE payments SET state = 'claimed'")).rejects.toThrow()
    expect(await rowsOf(database, "SELECT count(*) AS n FROM pg_trigger WHERE tgenabled = 'D'")).toEqual([
      { n: '0' },
    ])
    await store.close()
  })

  test('is bound as the file was, to its new place', async () => {
    const { copy, database } = await prepared()
    await copy()
    const found = await find(database)
    expect(found).toMatchObject({ copyOf: undefined, halfCopiedFrom: undefined, hasHistory: true })
    expect(found.identity).toEqual({ ...identity, place: found.place })
    expect(await copy()).toBe('already')
  })
})

const task = {
  createdMs: 1,
  by: 'k',
  title: 'x',
  detail: undefined,
  priority: 'low',
  assignee: undefined,
} as const

describe.skipIf(isPostgresMissing)('what the two databases hold in different ways', () => {
  const LARGE = '9007199254740993'
  test('whole numbers beyond 2^53, doubles to the last bit, nothing, yes and no', async () => {
    const { copy, database } = await prepared({
      more: (db) =>
        db.exec(`
          INSERT INTO demo_calls VALUES (${LARGE}, 'x', 9223372036854775807);
          INSERT INTO usage VALUES (1, 'inf', 'free', 200, 1, 0, 9e999, -0.0);
          INSERT INTO bot_breaker (at_ms, kind, reason, made_by) VALUES (-${LARGE}, 'reset', '', 'x');
        `),
    })
    await copy()
    expect(await rowsOf(database, `SELECT day, used FROM demo_calls WHERE client = 'x'`)).toEqual([
      { day: LARGE, used: '9223372036854775807' },
    ])
    expect(await rowsOf(database, `SELECT total_ms FROM usage WHERE product_id = 'inf'`)).toEqual([
      { total_ms: Number.POSITIVE_INFINITY },
    ])
    expect(await rowsOf(database, 'SELECT total_ms, max_ms FROM uptime_days')).toEqual([
      { total_ms: 1e21, max_ms: 5e-324 },
    ])
    expect(await rowsOf(database, `SELECT at_ms, reason FROM bot_breaker WHERE kind = 'reset'`)).toEqual([
      { at_ms: `-${LARGE}`, reason: '' },
    ])
    expect(
      await rowsOf(database, 'SELECT part, ended_ms, is_planned FROM uptime_incidents ORDER BY 1'),
    ).toEqual([
      { part: 'node', ended_ms: '2000', is_planned: true },
      { part: 'oracle', ended_ms: null, is_planned: false },
    ])
    // Two of the largest amounts and two small ones: beyond 63 bits only where they are many, and exact.
    expect(await rowsOf(database, `SELECT revenue FROM sales_payers WHERE payer = '0xAA'`)).toEqual([
      { revenue: '2000000000000020998' },
    ])
  })

  test('bytes that are no UTF-8 and lone surrogates are what the service has always read', async () => {
    const { copy, database, source } = await prepared({
      more(db) {
        const put = db.prepare(
          "INSERT INTO operator_tasks (id, created_ms, made_by, title, priority) VALUES (?, 1, 'k', ?, 'low')",
        )
        put.run(10, 'half \ud83d of a pair')
        db.exec(`INSERT INTO operator_tasks (id, created_ms, made_by, title, priority)
          VALUES (11, 1, 'k', CAST(x'61ff62' AS TEXT), 'low'), (12, 1, 'k', '😀 "{},\\ NULL', 'low')`)
      },
    })
    await copy()
    const titles = await rowsOf(database, 'SELECT title FROM operator_tasks WHERE id >= 10 ORDER BY id')
    expect(titles).toEqual([
      { title: 'half \ufffd of a pair' },
      { title: 'a\ufffdb' },
      { title: '😀 "{},\\ NULL' },
    ])
    expect(titles).toEqual(
      source
        .prepare('SELECT title FROM operator_tasks WHERE id >= 10 ORDER BY id')
        .all()
        .map((row) => ({ ...row })),
    )
  })

  test('NUL is replaced in words and counted, kept in what visitors said, and refused where money is', async () => {
    const words = await prepared({
      more: (db) =>
        db.exec(
          `INSERT INTO bot_breaker (at_ms, kind, reason, made_by) VALUES (1, 'reset', 'a' || char(0) || 'b', 'x')`,
        ),
    })
    expect(await words.copy()).toMatchObject({ replaced: new Map([['bot_breaker', 1]]) })
    expect(await rowsOf(words.database, `SELECT reason FROM bot_breaker WHERE kind = 'reset'`)).toEqual([
      { reason: 'a\ufffdb' },
    ])
    const money = await prepared({
      more: (db) => db.exec("UPDATE settle_hints SET tx = '0x' || char(0)"),
    })
    await expect(money.copy()).rejects.toThrow(
      /settle_hints\.tx has a NUL character in the row .*must not change/,
    )
    expect(money.left).toEqual([])
    expect(await find(money.database)).toMatchObject({ identity: undefined, hasHistory: false })
  })
})

describe.skipIf(isPostgresMissing)('a copy that is cut off', () => {
  /** Ends at the nth table, or while the source is left. */
  test.each(['payments', 'record_heads', 'uptime_life', 'the end'])(
    'at %s is refused and begun again',
    async (at) => {
      let isBroken = true
      const stop = () => {
        if (isBroken) throw new RangeError('cut off')
      }
      const { copy, database } = await prepared({
        input: {
          onRows: (table) => void (table === at && stop()),
          leaveSource: () => void (at === 'the end' && stop()),
        },
      })
      await expect(copy()).rejects.toThrow('cut off')
      const found = await find(database)
      expect(found).toMatchObject({ identity: undefined, hasHistory: false })
      expect(found.halfCopiedFrom).toContain('ledger.sqlite')
      isBroken = false
      expect(await copy()).toMatchObject({ replaced: new Map() })
      expect(await find(database)).toMatchObject({ halfCopiedFrom: undefined, hasHistory: true })
    },
  )

  test('because the connection is lost is refused and begun again', async () => {
    const { copy, database } = await prepared()
    // Ends the connection of this copy and no other: others work on the same server.
    const cut = 'SELECT pg_terminate_backend(pg_backend_pid())'
    const broken: Database = {
      ...database,
      transaction: (work) =>
        database.transaction((statements) => work(spoiling(statements, 'payments', cut))),
    }
    await expect(copy({ database: broken })).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await find(database)).toMatchObject({ hasHistory: false, halfCopiedFrom: expect.any(String) })
    expect(await copy()).toMatchObject({ replaced: new Map() })
  })
})

describe.skipIf(isPostgresMissing)('a copy that is not the same', () => {
  /** What happens in the target after the rows of a table came in, and what is told of it. */
  const FAULTS: Readonly<Record<string, [table: string, sql: string, told: RegExp]>> = {
    'a row that is lost': ['usage', 'DELETE FROM usage', /usage, rows/],
    'an amount that is changed': [
      'payments',
      "UPDATE payments SET amount = '20001' WHERE key = 'b'",
      /payments, checksum[\s\S]*payments settled[\s\S]*1 eip155:8453 whales[\s\S]*by id/,
    ],
    'a state that is changed': [
      'payments',
      "UPDATE payments SET state = 'settling' WHERE key = 'void'",
      /payments, checksum[\s\S]*payments settling[\s\S]*payments void/,
    ],
    'a leaf that is changed': [
      'record_leaves',
      "UPDATE record_leaves SET text = text || ' '",
      /record_leaves, checksum[\s\S]*last leaf/,
    ],
    'a head that is changed': [
      'record_heads',
      "UPDATE record_heads SET signature = 'x'",
      /record_heads, checksum[\s\S]*newest head/,
    ],
    'a reply that is changed': ['replies', "UPDATE replies SET text = 'x'", /replies, checksum[\s\S]*by id/],
    'a sum that is changed': [
      'sales_days',
      'UPDATE sales_days SET revenue = revenue + 1',
      /sales_days, checksum[\s\S]*sums of reports/,
    ],
    'a double that is rounded': [
      'operator_signals',
      'UPDATE operator_signals SET price = price + 1e-11',
      /operator_signals, checksum/,
    ],
    'a number that would be given twice': [
      'community_messages',
      'ALTER TABLE community_messages ALTER COLUMN id SET GENERATED ALWAYS',
      /community_messages, next id/,
    ],
  }
  test.each(Object.entries(FAULTS))('for %s is told and taken back', async (_, [table, sql, told]) => {
    const { copy, database, left } = await prepared()
    const spoilt: Database = {
      ...database,
      transaction: (work) => database.transaction((statements) => work(spoiling(statements, table, sql))),
    }
    const error = await copy({ database: spoilt }).then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(CopyDiffersError)
    const { comparisons } = error as CopyDiffersError
    const differing = comparisons.filter((line) => !isSame(line)).map(({ what }) => what)
    expect(differing.join('\n')).toMatch(told)
    expect(left).toEqual([])
    expect(await find(database)).toMatchObject({ identity: undefined, hasHistory: false })
  })
})

/** Does `sql` after each insert into the table, and forgets to set its numbers. */
const spoiling = (statements: Statements, table: string, sql: string): Statements => ({
  ...statements,
  async query(text, values = []) {
    if (text.includes('setval') && values[0] === table) return { rows: [], count: 0 }
    const result = await statements.query(text, values)
    if (text.includes(`INSERT INTO ${table} `)) await statements.exec(sql)
    return result
  },
})
