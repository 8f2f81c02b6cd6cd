import type { Clock } from '../../../core/time/clock.ts'
import { type AuditNote, createAuditNotes } from '../../operator/audit-notes.ts'
import { toAudit } from '../../operator/operator-rows.ts'
import type { AuditedBy, OperatorBook } from '../../ports/operator-book.ts'
import type { Columns, Database, Query } from '../database.ts'

type Audit = Pick<OperatorBook, 'beginAudit' | 'endAudit' | 'noteAudit' | 'audit'>

const BEGIN = 'SELECT add_audit($1, $2, $3, $4, $5, $6, NULL, $7, true) AS seq'
const NOTE = `
  SELECT add_audit(at_ms, key_id, client, method, endpoint, params, status, request_id, false)
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[])
    WITH ORDINALITY AS given (at_ms, key_id, client, method, endpoint, params, request_id, status, place)
  ORDER BY place`
const END = 'UPDATE operator_audit SET status = $2 WHERE seq = $1 AND status IS NULL'
const ALL = 'SELECT * FROM operator_audit ORDER BY seq DESC LIMIT $1 OFFSET $2'
const OF_KEYS = 'SELECT * FROM operator_audit WHERE key_id IS NOT NULL ORDER BY seq DESC LIMIT $1 OFFSET $2'
const OF_STRANGERS = 'SELECT * FROM operator_audit WHERE key_id IS NULL ORDER BY seq DESC LIMIT $1 OFFSET $2'
const OF_KEY = 'SELECT * FROM operator_audit WHERE key_id = $3 ORDER BY seq DESC LIMIT $1 OFFSET $2'

export function createPostgresAudit(
  { query }: Database,
  clock: Clock,
): { book: Audit; dropped(): OperatorBook['auditDropped']; close(): Promise<void> } {
  const notes = createAuditNotes(clock, (rows) => query(NOTE, columnsOf(rows)))
  return {
    book: {
      async beginAudit(row) {
        // What was noted before goes first.
        await notes.later.close()
        const { rows } = await query(BEGIN, valuesOf(row))
        return Number(rows[0]?.seq)
      },
      endAudit: async (seq, status) => void (await query(END, [seq, status])),
      noteAudit: notes.add,
      async audit({ limit, offset, by }) {
        await notes.later.run()
        return (await newest(query, by, [limit, offset])).map(toAudit)
      },
    },
    dropped: notes.dropped,
    close: notes.later.close,
  }
}

const valuesOf = ({
  atMs,
  keyId,
  client,
  method,
  endpoint,
  params,
  requestId,
}: Omit<AuditNote, 'status'>) => [atMs, keyId ?? null, client, method, endpoint, params ?? null, requestId]

/** A list for each column. */
function columnsOf(notes: readonly AuditNote[]): unknown[][] {
  const rows = notes.map((note) => [...valuesOf(note), note.status ?? null])
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]))
}

async function newest(
  query: Query,
  by: AuditedBy | undefined,
  page: readonly number[],
): Promise<readonly Columns[]> {
  if (typeof by === 'object') return (await query(OF_KEY, [...page, by.keyId])).rows
  if (by === undefined) return (await query(ALL, page)).rows
  return (await query(by === 'keys' ? OF_KEYS : OF_STRANGERS, page)).rows
}
