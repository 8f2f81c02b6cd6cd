import type { Mode } from '../../../config/variables/variable.ts'
import type { RecordAnchor, RecordAppend, RecordBook, RecordHead } from '../../ports/record-book.ts'
import { findText } from '../columns.ts'
import type { Columns, Database, Query } from '../database.ts'

/** Only one process at a time adds: the next one sees what the first has added. */
const LOCK = 'LOCK TABLE record_leaves IN EXCLUSIVE MODE'
const LEAVES = `
  INSERT INTO record_leaves (seq, id, text)
  SELECT $1 + place - 1, id, text FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS given (id, text, place)
  ORDER BY place`
const HEAD = `
  INSERT INTO record_heads (tree_size, root_hash, at_ms, key_id, mode, signature) VALUES ($1, $2, $3, $4, $5, $6)`
const FORGET = 'DELETE FROM record_secrets WHERE id = ANY ($1)'
const KEEP = 'INSERT INTO record_secrets (id, text) SELECT * FROM unnest($1::text[], $2::text[])'
const ANCHOR =
  'INSERT INTO record_anchors (tree_size, root_hash, network, tx, at_ms) VALUES ($1, $2, $3, $4, $5)'
const SIZE = 'SELECT coalesce(max(seq) + 1, 0) AS size FROM record_leaves'
const PAGE = 'SELECT text FROM record_leaves WHERE seq >= $1 ORDER BY seq LIMIT $2'
const OF_ENTRY = 'SELECT seq, text FROM record_leaves WHERE id = $1 ORDER BY seq'
const NEWEST_HEAD = 'SELECT * FROM record_heads ORDER BY tree_size DESC LIMIT 1'
const HEADS = 'SELECT * FROM record_heads WHERE tree_size > $1 AND tree_size <= $2 ORDER BY tree_size'
const SECRETS = 'SELECT id, text FROM record_secrets ORDER BY id'
const NEWEST_ANCHOR = 'SELECT * FROM record_anchors ORDER BY tree_size DESC, at_ms DESC LIMIT 1'
const ANCHORS =
  'SELECT * FROM record_anchors WHERE tree_size > $1 AND tree_size <= $2 ORDER BY tree_size, at_ms'

export function createPostgresRecordBook({ query, transaction }: Database): RecordBook {
  const list = async <T>(sql: string, values: readonly unknown[], toItem: (row: Columns) => T) =>
    (await query(sql, values)).rows.map(toItem)
  return {
    size: async () => Number((await query(SIZE)).rows[0]?.size),
    append: (entry) => transaction((statements) => append(statements.query, entry)),
    leaves: (from, limit) => list(PAGE, [from, limit], ({ text }) => String(text)),
    leavesOf: (id) => list(OF_ENTRY, [id], ({ seq, text }) => ({ index: Number(seq), text: String(text) })),
    newestHead: async () => (await list(NEWEST_HEAD, [], toHead))[0],
    heads: (above, upTo) => list(HEADS, [above, upTo], toHead),
    secrets: () => list(SECRETS, [], ({ id, text }) => ({ id: String(id), text: String(text) })),
    async addAnchor({ treeSize, rootHash, network, tx, atMs }) {
      await query(ANCHOR, [treeSize, rootHash, network, tx, atMs])
    },
    newestAnchor: async () => (await list(NEWEST_ANCHOR, [], toAnchor))[0],
    anchors: (above, upTo) => list(ANCHORS, [above, upTo], toAnchor),
  }
}

async function append(query: Query, { from, leaves, head, keep, forget }: RecordAppend): Promise<void> {
  const { treeSize, rootHash, atMs, keyId, mode, signature } = head
  await query(LOCK)
  await query(LEAVES, [from, leaves.map(({ id }) => id), leaves.map(({ text }) => text)])
  await query(HEAD, [treeSize, rootHash, atMs, keyId, mode ?? null, signature])
  await query(FORGET, [forget])
  await query(KEEP, [keep.map(({ id }) => id), keep.map(({ text }) => text)])
}

const toHead = (row: Columns): RecordHead => ({
  treeSize: Number(row.tree_size),
  rootHash: String(row.root_hash),
  atMs: Number(row.at_ms),
  keyId: String(row.key_id),
  mode: findText(row.mode) as Mode | undefined,
  signature: String(row.signature),
})

const toAnchor = (row: Columns): RecordAnchor => ({
  treeSize: Number(row.tree_size),
  rootHash: String(row.root_hash),
  network: String(row.network),
  tx: String(row.tx),
  atMs: Number(row.at_ms),
})
