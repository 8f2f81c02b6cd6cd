import type { AuditRow, OperatorBook } from '../../ledger/ports/operator-book.ts'
import { timeOf, toTable } from '../terminal/table.ts'

type Wanted = { keyId: string | undefined; last: number; isJson: boolean }

const HEAD = ['at', 'key', 'client', 'call', 'status', 'request', 'params']

/** The newest rows of the audit, newest first, as a table or as one JSON object a line. */
export async function tellAudit(
  book: Pick<OperatorBook, 'audit'>,
  { keyId, last, isJson }: Wanted,
): Promise<string> {
  const by = keyId === undefined ? undefined : { keyId }
  const rows = await book.audit({ limit: last, offset: 0, by })
  if (isJson) return rows.map((row) => `${JSON.stringify(toJson(row))}\n`).join('')
  if (rows.length === 0)
    return `there is no call${by ? ` with the key ${by.keyId}: ./tollbook keys list shows the ids` : ' yet'}\n`
  return toTable([HEAD, ...rows.map(toLine)])
}

function toLine(row: AuditRow): string[] {
  return [
    timeOf(row.atMs),
    row.keyId ?? 'none',
    row.client,
    `${row.method} ${row.endpoint}`,
    // The process died in it, or it is under way: it may have been done.
    row.status === undefined ? 'no end' : String(row.status),
    row.requestId,
    row.params ?? '-',
  ].map(shown)
}

/** Texts of callers: nothing of them reaches the terminal as a command. */
const shown = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?')

const toJson = ({ seq, atMs, keyId, client, method, endpoint, params, status, requestId }: AuditRow) => ({
  seq,
  at: new Date(atMs).toISOString(),
  key_id: keyId ?? null,
  client,
  method,
  endpoint,
  params: params ?? null,
  status: status ?? null,
  request_id: requestId,
})
