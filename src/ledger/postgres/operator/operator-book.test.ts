import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { openLeadingStore } from '../../../testing/ledger/leading-store.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../../testing/ledger/postgres.ts'
import { AUDIT_KEPT } from '../../audit-limits.ts'
import type { AuditRow } from '../../ports/operator-book.ts'
import { type Database, openDatabase } from '../database.ts'

afterAll(dropSchemas)

const call = (given: Partial<AuditRow> = {}): Omit<AuditRow, 'seq'> => ({
  atMs: 1_000,
  keyId: 'a',
  client: '10.0.0.1',
  method: 'GET',
  endpoint: 'trade.book',
  params: undefined,
  status: 200,
  requestId: 'r',
  ...given,
})
const stranger = (given: Partial<AuditRow> = {}) => ({ ...call({ status: 401, ...given }), keyId: undefined })
const key = { id: 'a', label: 'l', digest: 'a'.repeat(64), scopes: ['admin'], createdMs: 1 } as const
const all = { limit: 9_999, offset: 0 }
const unavailable = { code: 'store_unavailable' }

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

/** A store, and its database beside it. */
async function setUp() {
  const url = await freshSchema()
  const clock = createManualClock(0)
  const store = await openLeadingStore(url, clock)
  const database = openDatabase(url)
  opened.push(store, database)
  return { clock, operator: store.operator, database }
}

describe.skipIf(isPostgresMissing)('the operator book on PostgreSQL', () => {
  test('saves what is noted after a second, without anybody asking', async () => {
    const { clock, operator, database } = await setUp()
    const saved = async () =>
      (
        await database.query(
          'SELECT (SELECT count(*) FROM operator_audit) AS rows, (SELECT last_used_ms FROM operator_keys) AS used',
        )
      ).rows
    await operator.addKey(key)
    operator.noteAudit(call())
    operator.noteUse('a', 7)
    clock.advance(999)
    expect(await saved()).toEqual([{ rows: '0', used: null }])
    clock.advance(1)
    await expect.poll(saved).toEqual([{ rows: '1', used: '7' }])
  })

  test('saves later, in its order, what could not be saved', async () => {
    const { operator, database } = await setUp()
    await operator.addKey(key)
    operator.noteUse('a', 7)
    operator.noteAudit(call({ requestId: '1' }))
    operator.noteAudit(stranger({ requestId: '2' }))
    await database.exec(
      'ALTER TABLE operator_audit RENAME TO audit_away; ALTER TABLE operator_keys RENAME TO keys_away',
    )
    await expect(operator.audit(all)).rejects.toMatchObject(unavailable)
    await expect(operator.keys()).rejects.toMatchObject(unavailable)
    const { status: _, ...begun } = call()
    await expect(operator.beginAudit(begun)).rejects.toMatchObject(unavailable)
    operator.noteAudit(call({ requestId: '3' }))
    operator.noteUse('a', 5)
    await database.exec(
      'ALTER TABLE audit_away RENAME TO operator_audit; ALTER TABLE keys_away RENAME TO operator_keys',
    )
    expect((await operator.audit(all)).map(({ requestId }) => requestId)).toEqual(['3', '2', '1'])
    expect(await operator.keys()).toMatchObject([{ lastUsedMs: 7 }])
  })

  type Kind = 'act' | 'read' | 'knock'
  test.each([
    ['act', AUDIT_KEPT.actsOfKey],
    ['read', AUDIT_KEPT.readsOfKey],
    ['knock', AUDIT_KEPT.rowsOfStrangers],
  ] as const)(
    'keeps at most so many rows of a kind of one key, or of strangers, and no other makes room: %s',
    async (kind: Kind, kept) => {
      const { operator, database } = await setUp()
      const make = async (each: Kind, requestId: string, keyId = 'thief') => {
        const row = each === 'knock' ? stranger({ requestId }) : call({ requestId, keyId })
        const { status: _, ...begun } = row
        if (each === 'act') await operator.beginAudit(begun)
        else operator.noteAudit(row)
        return (await operator.audit(all)).map((audited) => audited.requestId).reverse()
      }
      const others = ['owner acts', 'owner reads', 'acts', 'reads', 'knocks']
      await make('act', 'owner acts', 'owner')
      await make('read', 'owner reads', 'owner')
      for (const each of ['act', 'read', 'knock'] as const) await make(each, `${each}s`)
      const rest = others.filter((name) => name !== `${kind}s`)
      await make(kind, 'second')
      await putBeforeLast(database, kept - 1)
      expect(await make(kind, 'last')).toEqual([...others, 'second', 'before last', 'last'])
      expect(await make(kind, 'one more')).toEqual([...rest, 'second', 'before last', 'last', 'one more'])
      expect(await make(kind, 'two more')).toEqual([...rest, 'before last', 'last', 'one more', 'two more'])
    },
  )

  test('has tables that refuse what the code would never do', async () => {
    const { operator, database } = await setUp()
    await operator.addKey(key)
    await operator.revokeKey('a', 50)
    for (const n of [1, 2, 3]) operator.noteAudit(call({ requestId: `${n}` }))
    const { status: _, ...begun } = call()
    await operator.beginAudit(begun)
    await operator.addTask({
      ...{ createdMs: 1, by: 'a', title: 't', detail: undefined, priority: 'low', assignee: undefined },
    })
    await operator.addSignal({
      ...{ windowStartS: 300, side: 'UP', coin: 'BTC', confidence: 0.6, price: 1 },
      ...{ indicators: undefined, source: undefined, by: 'a', atMs: 1 },
    })
    const before = await rowsOf(database)
    for (const sql of FORBIDDEN)
      await expect(database.query(sql), sql).rejects.toMatchObject({
        cause: {
          message: expect.stringMatching(/forward|only added to|keeps what|check constr|oldest rows/),
        },
      })
    expect(await rowsOf(database)).toEqual(before)
  })
})

/** As if all the rows between had been there: numbers are all that counts. */
const putBeforeLast = (database: Database, nth: number) =>
  database.exec(`ALTER TABLE operator_audit DISABLE TRIGGER operator_audit_number;
    INSERT INTO operator_audit (at_ms, key_id, client, method, endpoint, request_id, is_act, part, nth)
    SELECT at_ms, key_id, client, method, endpoint, 'before last', is_act, part, ${nth}
    FROM operator_audit WHERE request_id = 'second';
    ALTER TABLE operator_audit ENABLE TRIGGER operator_audit_number;`)

const TABLES = ['operator_keys', 'operator_audit', 'operator_tasks', 'operator_signals']
const rowsOf = (database: Database) =>
  Promise.all(TABLES.map(async (table) => (await database.query(`SELECT * FROM ${table} ORDER BY 1`)).rows))

const addKey = 'INSERT INTO operator_keys (id, label, digest, scopes, created_ms) VALUES'
const FORBIDDEN = [
  'UPDATE operator_keys SET revoked_ms = NULL',
  'UPDATE operator_keys SET revoked_ms = 51',
  "UPDATE operator_keys SET scopes = 'admin trade'",
  `UPDATE operator_keys SET digest = '${'b'.repeat(64)}'`,
  'DELETE FROM operator_keys',
  `${addKey} ('b', 'l', 'not a digest', 'admin', 1)`,
  `${addKey} ('b', 'l', '${'b'.repeat(64)}', 'root', 1)`,
  'UPDATE operator_audit SET status = 500 WHERE seq = 1',
  "UPDATE operator_audit SET client = 'other'",
  'UPDATE operator_audit SET is_act = true WHERE seq = 1',
  'UPDATE operator_audit SET nth = 9 WHERE seq = 4',
  'DELETE FROM operator_audit WHERE seq = 2',
  'DELETE FROM operator_audit WHERE seq = 4',
  "UPDATE operator_tasks SET title = 'other'",
  'DELETE FROM operator_tasks',
  'UPDATE operator_signals SET confidence = 1',
  'DELETE FROM operator_signals',
  ...TABLES.map((table) => `TRUNCATE ${table}`),
]
