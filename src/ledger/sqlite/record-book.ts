import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Mode } from '../../config/variables/variable.ts'
import type { RecordAnchor, RecordAppend, RecordBook, RecordHead } from '../ports/record-book.ts'
import type { GroupCommit } from './group-commit.ts'

type Row = Record<string, SQLOutputValue>

export function createSqliteRecordBook(db: DatabaseSync, commit: GroupCommit): RecordBook {
  const write = prepareWrites(db)
  const size = db.prepare('SELECT coalesce(max(seq) + 1, 0) AS size FROM record_leaves')
  const page = db.prepare('SELECT text FROM record_leaves WHERE seq >= ? ORDER BY seq LIMIT ?')
  const ofEntry = db.prepare('SELECT seq, text FROM record_leaves WHERE id = ? ORDER BY seq')
  const newestHead = db.prepare('SELECT * FROM record_heads ORDER BY tree_size DESC LIMIT 1')
  const heads = db.prepare(
    'SELECT * FROM record_heads WHERE tree_size > ? AND tree_size <= ? ORDER BY tree_size',
  )
  const secrets = db.prepare('SELECT id, text FROM record_secrets ORDER BY id')
  const newestAnchor = db.prepare('SELECT * FROM record_anchors ORDER BY tree_size DESC, at_ms DESC LIMIT 1')
  const anchors = db.prepare(
    'SELECT * FROM record_anchors WHERE tree_size > ? AND tree_size <= ? ORDER BY tree_size, at_ms',
  )
  return {
    size: () => commit.read(() => Number(size.get()?.size)),
    append: (entry) => commit.write(() => write.append(entry)),
    leaves: (from, limit) => commit.read(() => page.all(from, limit).map((row) => String(row.text))),
    leavesOf: (id) =>
      commit.read(() => ofEntry.all(id).map((row) => ({ index: Number(row.seq), text: String(row.text) }))),
    newestHead: () => commit.read(() => newestHead.all().map(toHead)[0]),
    heads: (above, upTo) => commit.read(() => heads.all(above, upTo).map(toHead)),
    secrets: () =>
      commit.read(() => secrets.all().map((row) => ({ id: String(row.id), text: String(row.text) }))),
    addAnchor: (anchor) => commit.write(() => write.anchor(anchor)),
    newestAnchor: () => commit.read(() => newestAnchor.all().map(toAnchor)[0]),
    anchors: (above, upTo) => commit.read(() => anchors.all(above, upTo).map(toAnchor)),
  }
}

function prepareWrites(db: DatabaseSync) {
  const leaf = db.prepare('INSERT INTO record_leaves (seq, id, text) VALUES (?, ?, ?)')
  const head = db.prepare(`
    INSERT INTO record_heads (tree_size, root_hash, at_ms, key_id, mode, signature)
    VALUES (:treeSize, :rootHash, :atMs, :keyId, :mode, :signature)
  `)
  const keep = db.prepare('INSERT INTO record_secrets (id, text) VALUES (?, ?)')
  const forget = db.prepare('DELETE FROM record_secrets WHERE id = ?')
  const anchor = db.prepare(`
    INSERT INTO record_anchors (tree_size, root_hash, network, tx, at_ms)
    VALUES (:treeSize, :rootHash, :network, :tx, :atMs)
  `)
  return {
    append(entry: RecordAppend): void {
      entry.leaves.forEach(({ id, text }, n) => void leaf.run(entry.from + n, id, text))
      head.run({ ...entry.head, mode: entry.head.mode ?? null })
      for (const id of entry.forget) forget.run(id)
      for (const { id, text } of entry.keep) keep.run(id, text)
    },
    anchor: (given: RecordAnchor): void => void anchor.run(given),
  }
}

const toHead = (row: Row): RecordHead => ({
  treeSize: Number(row.tree_size),
  rootHash: String(row.root_hash),
  atMs: Number(row.at_ms),
  keyId: String(row.key_id),
  mode: row.mode === null ? undefined : (String(row.mode) as Mode),
  signature: String(row.signature),
})

const toAnchor = (row: Row): RecordAnchor => ({
  treeSize: Number(row.tree_size),
  rootHash: String(row.root_hash),
  network: String(row.network),
  tx: String(row.tx),
  atMs: Number(row.at_ms),
})
