import type { Coin } from '../../core/coin.ts'
import { DAY_MS, SECOND_MS } from '../../core/time/time.ts'
import type { Direction } from '../../signals/signal.ts'

/** A credential of the operator. The key itself is never kept, only its digest. */
export type OperatorKeyRow = {
  /** Short and public: it stands in audit rows and lists. */
  id: string
  /** What the operator calls it. */
  label: string
  /** SHA-256 of the key, hex. */
  digest: string
  scopes: readonly ('admin' | 'trade')[]
  createdMs: number
  lastUsedMs: number | undefined
  /** From then on it opens nothing. */
  revokedMs: number | undefined
}

/** One call of an operator route, let in or not. */
export type AuditRow = {
  seq: number
  atMs: number
  /** Id of the key; undefined where none was good. */
  keyId: string | undefined
  client: string
  method: string
  /** Id of the endpoint. */
  endpoint: string
  /** The params as they were read, shortened, without secrets; undefined where they were not read. */
  params: string | undefined
  /** HTTP status; undefined while the call is under way, or where the process died in it. */
  status: number | undefined
  requestId: string
}

/** Which rows of the audit. */
export type AuditedBy = 'keys' | 'strangers' | { keyId: string }

/** Tasks on the board at most; the oldest gives way. */
export const TASKS_MAX = 1_000
export const TASK_PRIORITIES = ['low', 'normal', 'high'] as const
export type TaskPriority = (typeof TASK_PRIORITIES)[number]
export type TaskRow = {
  id: number
  createdMs: number
  by: string
  title: string
  detail: string | undefined
  priority: TaskPriority
  assignee: string | undefined
}

/** Logged signals stay so long, by their window: two for each window, about 52,000 rows. */
export const SIGNALS_KEPT_S = (90 * DAY_MS) / SECOND_MS
/** A prediction that somebody logged for a window of BTC. */
export type LoggedSignalRow = {
  windowStartS: number
  side: Direction
  coin: Coin
  confidence: number
  price: number
  indicators: string | undefined
  source: string | undefined
  by: string
  atMs: number
}

export type OperatorBook = {
  /** Throws `conflict` where the id or the digest is there already. */
  addKey(row: Omit<OperatorKeyRow, 'lastUsedMs' | 'revokedMs'>): Promise<void>
  /** Revoked ones too, oldest first. */
  keys(): Promise<readonly OperatorKeyRow[]>
  /** False where there is no such key, or it ends no later already: an end is never put off. */
  revokeKey(id: string, atMs: number): Promise<boolean>
  /** Never waits and never fails; a minute of it may be lost in a crash. */
  noteUse(id: string, atMs: number): void

  /** Durable when it resolves; the number finds the row again. */
  beginAudit(row: Omit<AuditRow, 'seq' | 'status'>): Promise<number>
  /** Once; a later call changes nothing. */
  endAudit(seq: number, status: number): Promise<void>
  /** Never waits and never fails: for calls that change nothing, and those that were refused. */
  noteAudit(row: Omit<AuditRow, 'seq'>): void
  /** Calls of `noteAudit` since the start that were not written because too many of them waited, and the last one. */
  readonly auditDropped: { rows: number; lastMs: number | undefined }
  /** Newest first; all where it is not said whose. */
  audit(page: { limit: number; offset: number; by?: AuditedBy | undefined }): Promise<readonly AuditRow[]>

  /** On a full board the oldest task gives way. */
  addTask(row: Omit<TaskRow, 'id'>): Promise<{ task: TaskRow; gaveWay: TaskRow | undefined }>
  /** Newest first. */
  tasks(): Promise<readonly TaskRow[]>

  /** False where (windowStartS, side) is there already. Windows that are too old by this one give way. */
  addSignal(row: LoggedSignalRow): Promise<boolean>
  /** Newest window first. */
  signals(limit: number): Promise<readonly LoggedSignalRow[]>
}
