import { z } from 'zod'
import type { AuditRow, OperatorBook } from '../../ledger/ports/operator-book.ts'
import { isoTime } from '../../products/fields.ts'

const AuditEntry = z.object({
  at: z.iso.datetime(),
  key_id: z.string().nullable().describe('null: no good key came with the call'),
  client: z.string().min(1),
  method: z.string().min(1),
  endpoint: z.string().min(1),
  params: z.string().nullable().describe('As they were read, shortened'),
  status: z.int().nullable().describe('null: still under way, or the process ended in it'),
  request_id: z.string().min(1),
})

const toAuditEntry = (row: AuditRow): z.input<typeof AuditEntry> => ({
  at: isoTime(row.atMs),
  key_id: row.keyId ?? null,
  client: row.client,
  method: row.method,
  endpoint: row.endpoint,
  params: row.params ?? null,
  status: row.status ?? null,
  request_id: row.requestId,
})

const AUDIT_SHOWN = 20

/** Apart from each other: whoever knocks often must not hide what was done with a key. */
export const Audit = z.object({
  of_keys: z.array(AuditEntry).describe('Calls with a good key, newest first'),
  of_strangers: z.array(AuditEntry).describe('Calls without one, newest first'),
  dropped: z
    .int()
    .min(0)
    .describe('Reads and refused calls since the start that were too many to be written down'),
  dropped_at: z.iso.datetime().nullable().describe('When the last of them came'),
})

export async function toAudit(
  book: Pick<OperatorBook, 'audit' | 'auditDropped'>,
): Promise<z.input<typeof Audit>> {
  const page = { limit: AUDIT_SHOWN, offset: 0 }
  const [keys, strangers] = await Promise.all([
    book.audit({ ...page, by: 'keys' }),
    book.audit({ ...page, by: 'strangers' }),
  ])
  const { rows, lastMs } = book.auditDropped
  return {
    of_keys: keys.map(toAuditEntry),
    of_strangers: strangers.map(toAuditEntry),
    dropped: rows,
    dropped_at: lastMs === undefined ? null : isoTime(lastMs),
  }
}
