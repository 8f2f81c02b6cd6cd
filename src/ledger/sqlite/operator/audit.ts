import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../core/time/clock.ts'
import { AUDIT_KEPT, AUDIT_WAITING } from '../../audit-limits.ts'
import type { AuditedBy, AuditRow, OperatorBook } from '../../ports/operator-book.ts'
import { type Columns, findNumber, findText } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'
import { createLater } from '../later.ts'

type Audit = Pick<OperatorBook, 'beginAudit' | 'endAudit' | 'noteAudit' | 'audit'>
type Note = Omit<AuditRow, 'seq'>

export function createSqliteAudit(
  db: DatabaseSync,
  commit: GroupCommit,
  clock: Clock,
): { book: Audit; dropped(): OperatorBook['auditDropped']; close(): void } {
  const add = prepareAdd(db)
  const end = db.prepare('UPDATE operator_audit SET status = ? WHERE seq = ? AND status IS NULL')
  const newest = prepareNewest(db)
  const waiting = createWaiting(clock)
  const later = createLater(clock, async () => {
    const notes = waiting.take()
    if (notes.length === 0) return
    try {
      await commit.write(() => notes.forEach((note) => void add(note, 0)))
    } catch (error) {
      waiting.putBack(notes)
      throw error
    }
  })
  return {
    book: {
      beginAudit(row) {
        // What was noted before goes first, in the same transaction.
        later.close()
        const begun = { ...row, status: undefined }
        return commit.write(() => add(begun, 1))
      },
      endAudit: (seq, status) => commit.write(() => void end.run(status, seq)),
      noteAudit(row) {
        waiting.add({ ...row })
        later.plan()
      },
      async audit({ limit, offset, by }) {
        await later.run()
        return commit.read(() => newest(by, limit, offset).map(toAudit))
      },
    },
    dropped: waiting.dropped,
    close: later.close,
  }
}

function prepareNewest(db: DatabaseSync) {
  const of = (where: string) =>
    db.prepare(`SELECT * FROM operator_audit ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`)
  const all = of('')
  const ofKind = of('WHERE of_key = ?')
  const ofKey = of('WHERE key_id = ?')
  return (by: AuditedBy | undefined, limit: number, offset: number): Columns[] => {
    if (by === undefined) return all.all(limit, offset)
    if (typeof by === 'object') return ofKey.all(by.keyId, limit, offset)
    return ofKind.all(by === 'keys' ? 1 : 0, limit, offset)
  }
}

/** Rows that are not written yet, oldest first; what is too many is counted and dropped. */
function createWaiting(clock: Clock) {
  let notes: Note[] = []
  /** By key; strangers count together. */
  let counts = new Map<string | undefined, number>()
  let dropped: OperatorBook['auditDropped'] = { rows: 0, lastMs: undefined }
  const add = (note: Note) => {
    const count = counts.get(note.keyId) ?? 0
    if (notes.length >= AUDIT_WAITING.rows || count >= AUDIT_WAITING.rowsOfOne)
      dropped = { rows: dropped.rows + 1, lastMs: clock.now() }
    else {
      notes.push(note)
      counts.set(note.keyId, count + 1)
    }
  }
  const take = () => {
    const taken = notes
    notes = []
    counts = new Map()
    return taken
  }
  return {
    add,
    take,
    putBack: (taken: readonly Note[]) => [...taken, ...take()].forEach(add),
    dropped: () => dropped,
  }
}

/** Old rows that one new row may push out: enough to catch up, little enough to be no work. */
const REMOVED_AT_ONCE = 4

/** Adds a row, and removes what is too much of its part, and what is too old of all. */
function prepareAdd(db: DatabaseSync): (row: Note, isAct: 0 | 1) => number {
  const insert = db.prepare(`
    INSERT INTO operator_audit (at_ms, key_id, client, method, endpoint, params, status, request_id, is_act, nth)
    SELECT :at_ms, :key_id, :client, :method, :endpoint, :params, :status, :request_id, :is_act,
      coalesce(max(nth), 0) + 1 FROM operator_audit WHERE part = :part
    RETURNING seq, nth
  `)
  const dropTooMany = db.prepare(
    `DELETE FROM operator_audit WHERE seq IN (
      SELECT seq FROM operator_audit WHERE part = ? AND nth <= ? ORDER BY nth LIMIT ${REMOVED_AT_ONCE})`,
  )
  const oldest = db.prepare(`SELECT seq, at_ms FROM operator_audit ORDER BY seq LIMIT ${REMOVED_AT_ONCE}`)
  const drop = db.prepare('DELETE FROM operator_audit WHERE seq = ?')
  return (row, isAct) => {
    const { atMs, keyId } = row
    const part = keyId === undefined ? '' : `${keyId} ${isAct ? 'acts' : 'reads'}`
    const added = insert.get({
      ...{ at_ms: atMs, key_id: keyId ?? null, client: row.client, method: row.method, is_act: isAct, part },
      ...{ endpoint: row.endpoint, params: row.params ?? null, status: row.status ?? null },
      request_id: row.requestId,
    })
    dropTooMany.run(part, Number(added?.nth) - keptOf(keyId, isAct))
    // In order: what is younger than a row that stays, stays too.
    for (const { seq, at_ms } of oldest.all()) {
      if (Number(at_ms) >= atMs - AUDIT_KEPT.ms) break
      drop.run(Number(seq))
    }
    return Number(added?.seq)
  }
}

function keptOf(keyId: string | undefined, isAct: 0 | 1): number {
  if (keyId === undefined) return AUDIT_KEPT.rowsOfStrangers
  return isAct ? AUDIT_KEPT.actsOfKey : AUDIT_KEPT.readsOfKey
}

const toAudit = (row: Columns): AuditRow => ({
  seq: Number(row.seq),
  atMs: Number(row.at_ms),
  keyId: findText(row.key_id),
  client: String(row.client),
  method: String(row.method),
  endpoint: String(row.endpoint),
  params: findText(row.params),
  status: findNumber(row.status),
  requestId: String(row.request_id),
})
