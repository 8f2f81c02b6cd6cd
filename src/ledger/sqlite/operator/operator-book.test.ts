import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { temporaryDir } from '../../../testing/ledger/temporary-dir.ts'
import { AUDIT_KEPT, AUDIT_WAITING } from '../../audit-limits.ts'
import type { AuditedBy, AuditRow } from '../../ports/operator-book.ts'
import { openDatabase } from '../database.ts'
import { createSqliteStore, openSqliteStore } from '../store.ts'

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
const freshFile = () => join(temporaryDir(), 'ledger.sqlite')
const all = { limit: 9_999, offset: 0 }

test('what is noted is saved after a second, without anybody asking', async () => {
  const file = freshFile()
  const clock = createManualClock(0)
  const store = openSqliteStore(file, { clock })
  const other = openDatabase(file)
  const saved = () =>
    other
      .prepare(
        'SELECT count(*) AS rows, (SELECT last_used_ms FROM operator_keys) AS used FROM operator_audit',
      )
      .get()
  await store.operator.addKey(key)
  store.operator.noteAudit(call())
  store.operator.noteUse('a', 7)
  clock.advance(999)
  await store.demo.take(1, [['a', 2]])
  expect(saved()).toEqual({ rows: 0, used: null })
  clock.advance(1)
  await store.demo.take(1, [['a', 2]])
  expect(saved()).toEqual({ rows: 1, used: 7 })
  other.close()
  await store.close()
})

test('what could not be saved is saved later, in its order', async () => {
  const db = openDatabase(':memory:')
  const { operator, close } = createSqliteStore(db)
  await operator.addKey(key)
  operator.noteUse('a', 7)
  operator.noteAudit(call({ requestId: '1' }))
  operator.noteAudit(stranger({ requestId: '2' }))
  db.exec('PRAGMA query_only = ON')
  await expect(operator.audit(all)).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(operator.keys()).rejects.toMatchObject({ code: 'store_unavailable' })
  operator.noteAudit(call({ requestId: '3' }))
  operator.noteUse('a', 5)
  db.exec('PRAGMA query_only = OFF')
  expect((await operator.audit(all)).map(({ requestId }) => requestId)).toEqual(['3', '2', '1'])
  expect(await operator.keys()).toMatchObject([{ lastUsedMs: 7 }])
  await close()
})

test('a call that cannot be written down is refused', async () => {
  const db = openDatabase(':memory:')
  const { operator, close } = createSqliteStore(db)
  const { status: _, ...begun } = call()
  db.exec('PRAGMA query_only = ON')
  await expect(operator.beginAudit(begun)).rejects.toMatchObject({ code: 'store_unavailable' })
  db.exec('PRAGMA query_only = OFF')
  await close()
})

test('more calls than there is room for are counted and dropped; each key and all strangers have a part', async () => {
  const clock = createManualClock(7)
  const { operator, close } = createSqliteStore(openDatabase(':memory:'), { clock })
  const part = AUDIT_WAITING.rowsOfOne
  for (let n = 0; n < part + 1; n++) operator.noteAudit(stranger())
  for (let n = 0; n < part + 2; n++) operator.noteAudit(call({ keyId: 'thief' }))
  expect(operator.auditDropped).toEqual({ rows: 3, lastMs: 7 })
  operator.noteAudit(call({ keyId: 'owner' }))
  expect(operator.auditDropped.rows).toBe(3)
  const count = async (by: AuditedBy) => (await operator.audit({ ...all, by })).length
  expect([
    await count('strangers'),
    await count({ keyId: 'thief' }),
    await count({ keyId: 'owner' }),
  ]).toEqual([part, part, 1])
  for (let n = 0; n < 2 * AUDIT_WAITING.rows; n++) operator.noteAudit(call({ keyId: `key ${n}` }))
  expect(operator.auditDropped.rows).toBe(3 + AUDIT_WAITING.rows)
  expect(await operator.audit(all)).toHaveLength(2 * part + 1 + AUDIT_WAITING.rows)
  await close()
})

type Kind = 'act' | 'read' | 'knock'
test.each([
  ['act', AUDIT_KEPT.actsOfKey],
  ['read', AUDIT_KEPT.readsOfKey],
  ['knock', AUDIT_KEPT.rowsOfStrangers],
] as const)(
  'of one key, or of strangers, at most so many rows of a kind are kept, and no other makes room: %s',
  async (kind: Kind, kept) => {
    const db = openDatabase(':memory:')
    const { operator, close } = createSqliteStore(db)
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
    // As if all the rows between had been there: numbers are all that counts.
    const rule = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'operator_audit_once'").get()
    db.exec(`DROP TRIGGER operator_audit_once;
    INSERT INTO operator_audit (at_ms, key_id, client, method, endpoint, request_id, is_act, nth)
    SELECT at_ms, key_id, client, method, endpoint, 'before last', is_act, ${kept - 1}
    FROM operator_audit WHERE request_id = 'second';
    ${rule?.sql}`)
    expect(await make(kind, 'last')).toEqual([...others, 'second', 'before last', 'last'])
    expect(await make(kind, 'one more')).toEqual([...rest, 'second', 'before last', 'last', 'one more'])
    expect(await make(kind, 'two more')).toEqual([...rest, 'before last', 'last', 'one more', 'two more'])
    await close()
  },
)

test('the tables refuse what the code would never do', async () => {
  const db = openDatabase(':memory:')
  const { operator, close } = createSqliteStore(db)
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
  const tables = ['operator_keys', 'operator_audit', 'operator_tasks', 'operator_signals']
  const rows = () => tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all())
  const before = rows()
  const columns = 'seq, at_ms, key_id, client, method, endpoint, params, status, request_id, is_act, nth'
  for (const sql of [
    'UPDATE operator_keys SET revoked_ms = NULL',
    'UPDATE operator_keys SET revoked_ms = 51',
    "UPDATE operator_keys SET scopes = 'admin trade'",
    `UPDATE operator_keys SET digest = '${'b'.repeat(64)}'`,
    'DELETE FROM operator_keys',
    'INSERT OR REPLACE INTO operator_keys SELECT * FROM operator_keys',
    `INSERT INTO operator_keys VALUES (9, 'b', 'l', 'not a digest', 'admin', 1, NULL, NULL)`,
    `INSERT INTO operator_keys VALUES (9, 'b', 'l', '${'b'.repeat(64)}', 'root', 1, NULL, NULL)`,
    'UPDATE operator_audit SET status = 500 WHERE seq = 1',
    "UPDATE operator_audit SET client = 'other'",
    'DELETE FROM operator_audit WHERE seq = 2',
    'DELETE FROM operator_audit WHERE seq = 4',
    `INSERT OR REPLACE INTO operator_audit (${columns}) SELECT ${columns} FROM operator_audit WHERE seq = 2`,
    "UPDATE operator_tasks SET title = 'other'",
    'DELETE FROM operator_tasks',
    'DELETE FROM operator_signals',
    'UPDATE operator_signals SET confidence = 1',
    'INSERT OR REPLACE INTO operator_tasks SELECT * FROM operator_tasks',
    'UPDATE operator_audit SET is_act = 1',
    'INSERT OR REPLACE INTO operator_signals SELECT * FROM operator_signals',
  ])
    expect(() => db.exec(sql), sql).toThrow(/forward|only added to|keeps what|CHECK|oldest rows only/)
  expect(rows()).toEqual(before)
  await close()
})
