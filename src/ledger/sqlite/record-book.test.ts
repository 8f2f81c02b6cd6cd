import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { openDatabase } from './database.ts'
import { createSqliteStore } from './store.ts'

const rootHash = 'a'.repeat(64)

test('the tables of the record refuse every change of existing rows', async () => {
  const db = openDatabase(join(temporaryDir(), 'ledger.sqlite'))
  const { record, close } = createSqliteStore(db)
  await record.append({
    from: 0,
    leaves: [
      { id: 'a', text: '{"a":1}' },
      { id: 'b', text: '{"b":1}' },
    ],
    head: { treeSize: 2, rootHash, atMs: 1, keyId: 'k', mode: 'sandbox', signature: 's' },
    keep: [{ id: 'a', text: 'salt' }],
    forget: [],
  })
  await record.addAnchor({ treeSize: 2, rootHash, network: 'n', tx: 't', atMs: 1 })
  const forbidden = [
    "UPDATE record_leaves SET text = '{}' WHERE seq = 0",
    'UPDATE record_leaves SET seq = 7 WHERE seq = 1',
    'DELETE FROM record_leaves',
    'DELETE FROM record_leaves WHERE seq = 1',
    "INSERT OR REPLACE INTO record_leaves (seq, id, text) VALUES (1, 'b', '{}')",
    "INSERT OR REPLACE INTO record_leaves (rowid, id, text) VALUES (0, 'b', '{}')",
    "INSERT INTO record_leaves (seq, id, text) VALUES (9, 'b', '{}')",
    "INSERT INTO record_leaves (seq, id, text) VALUES (0, 'a', '{}') ON CONFLICT (seq) DO UPDATE SET text = '{}'",
    `UPDATE record_heads SET signature = 'other'`,
    'DELETE FROM record_heads',
    `INSERT OR REPLACE INTO record_heads VALUES (2, '${rootHash}', 1, 'k', 'other', 'sandbox')`,
    `INSERT INTO record_heads VALUES (1, '${rootHash}', 1, 'k', 's', 'sandbox')`,
    `INSERT INTO record_heads VALUES (3, '${rootHash}', 1, 'k', 's', 'sandbox')`,
    "UPDATE record_anchors SET tx = 'other'",
    'DELETE FROM record_anchors',
    "UPDATE record_secrets SET text = 'other'",
  ]
  for (const sql of forbidden)
    expect(() => db.exec(sql), sql).toThrow(/only added to|end of the record|covers all/)
  for (const mode of ['live', undefined] as const) {
    const leaves = [{ id: 'c', text: '{}' }]
    const head = { treeSize: 3, rootHash, atMs: 2, keyId: 'k', mode, signature: 's' }
    await expect(record.append({ from: 2, leaves, head, keep: [], forget: [] })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('a record is of one mode') },
    })
  }
  expect(await record.leaves(0, 9)).toEqual(['{"a":1}', '{"b":1}'])
  await close()
})

test('heads of an earlier release state no mode, and are gone on with', async () => {
  const db = openDatabase(join(temporaryDir(), 'ledger.sqlite'))
  const { record, close } = createSqliteStore(db)
  const append = (from: number, mode: 'live' | undefined) =>
    record.append({
      from,
      leaves: [{ id: 'a', text: '{}' }],
      head: { treeSize: from + 1, rootHash, atMs: 1, keyId: 'k', mode, signature: 's' },
      keep: [],
      forget: [],
    })
  await append(0, undefined)
  await append(1, undefined)
  await append(2, 'live')
  expect((await record.heads(0, 9)).map(({ mode }) => mode)).toEqual([undefined, undefined, 'live'])
  await close()
})
