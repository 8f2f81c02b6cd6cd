import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../core/time/clock.ts'
import { AUDIT_KEPT, AUDIT_REMOVED_AT_ONCE, auditRowsKept } from '../../audit-limits.ts'
import { type AuditNote, createAuditNotes } from '../../operator/audit-notes.ts'
import { toAudit } from '../../operator/operator-rows.ts'
import type { AuditedBy, OperatorBook } from '../../ports/operator-book.ts'
import type { Columns } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'

type Audit = Pick<OperatorBook, 'beginAudit' | 'endAudit' | 'noteAudit' | 'audit'>

export function createSqliteAudit(
  db: DatabaseSync,
  commit: GroupCommit,
  clock: Clock,
): { book: Audit; dropped(): OperatorBook['auditDropped']; close(): void } {
  const add = prepareAdd(db)
  const end = db.prepare('UPDATE operator_audit SET status = ? WHERE seq = ? AND status IS NULL')
  const newest = prepareNewest(db)
  const notes = createAuditNotes(clock, (rows) =>
    commit.write(() => rows.forEach((note) => void add(note, 0))),
  )
  return {
    book: {
      beginAudit(row) {
        // What was noted before goes first, in the same transaction.
        notes.later.close()
        const begun = { ...row, status: undefined }
        return commit.write(() => add(begun, 1))
      },
      endAudit: (seq, status) => commit.write(() => void end.run(status, seq)),
      noteAudit: notes.add,
      async audit({ limit, offset, by }) {
        await notes.later.run()
        return commit.read(() => newest(by, limit, offset).map(toAudit))
      },
    },
    dropped: notes.dropped,
    close: notes.later.close,
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

/** Adds a row, and removes what is too much of its part, and what is too old of all. */
function prepareAdd(db: DatabaseSync): (row: AuditNote, isAct: 0 | 1) => number {
  const insert = db.prepare(`
    INSERT INTO operator_audit (at_ms, key_id, client, method, endpoint, params, status, request_id, is_act, nth)
    SELECT :at_ms, :key_id, :client, :method, :endpoint, :params, :status, :request_id, :is_act,
      coalesce(max(nth), 0) + 1 FROM operator_audit WHERE part = :part
    RETURNING seq, nth
  `)
  const dropTooMany = db.prepare(
    `DELETE FROM operator_audit WHERE seq IN (
      SELECT seq FROM operator_audit WHERE part = ? AND nth <= ? ORDER BY nth LIMIT ${AUDIT_REMOVED_AT_ONCE})`,
  )
  const oldest = db.prepare(
    `SELECT seq, at_ms FROM operator_audit ORDER BY seq LIMIT ${AUDIT_REMOVED_AT_ONCE}`,
  )
  const drop = db.prepare('DELETE FROM operator_audit WHERE seq = ?')
  return (row, isAct) => {
    const { atMs, keyId } = row
    const part = keyId === undefined ? '' : `${keyId} ${isAct ? 'acts' : 'reads'}`
    const added = insert.get({
      ...{ at_ms: atMs, key_id: keyId ?? null, client: row.client, method: row.method, is_act: isAct, part },
      ...{ endpoint: row.endpoint, params: row.params ?? null, status: row.status ?? null },
      request_id: row.requestId,
    })
    dropTooMany.run(part, Number(added?.nth) - auditRowsKept(keyId, isAct === 1))
    // In order: what is younger than a row that stays, stays too.
    for (const { seq, at_ms } of oldest.all()) {
      if (Number(at_ms) >= atMs - AUDIT_KEPT.ms) break
      drop.run(Number(seq))
    }
    return Number(added?.seq)
  }
}
