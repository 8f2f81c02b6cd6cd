import type { Coin } from '../../core/coin.ts'
import type { Direction } from '../../signals/signal.ts'
import { type Columns, findNumber, findText } from '../columns.ts'
import type {
  AuditRow,
  LoggedSignalRow,
  OperatorKeyRow,
  TaskPriority,
  TaskRow,
} from '../ports/operator-book.ts'

/** Texts are cast where the table's own CHECK, or the only writer's type, allows no other. */
export const toKey = (row: Columns): OperatorKeyRow => ({
  id: String(row.id),
  label: String(row.label),
  digest: String(row.digest),
  scopes: String(row.scopes).split(' ').filter(Boolean) as OperatorKeyRow['scopes'],
  createdMs: Number(row.created_ms),
  lastUsedMs: findNumber(row.last_used_ms),
  revokedMs: findNumber(row.revoked_ms),
})

export const toAudit = (row: Columns): AuditRow => ({
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

export const toTask = (row: Columns): TaskRow => ({
  id: Number(row.id),
  createdMs: Number(row.created_ms),
  by: String(row.made_by),
  title: String(row.title),
  detail: findText(row.detail),
  priority: String(row.priority) as TaskPriority,
  assignee: findText(row.assignee),
})

export const toSignal = (row: Columns): LoggedSignalRow => ({
  windowStartS: Number(row.window_start_s),
  side: String(row.side) as Direction,
  coin: String(row.coin) as Coin,
  confidence: Number(row.confidence),
  price: Number(row.price),
  indicators: findText(row.indicators),
  source: findText(row.source),
  by: String(row.made_by),
  atMs: Number(row.at_ms),
})
