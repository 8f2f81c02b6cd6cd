import { AUDIT_KEPT, auditRowsKept } from '../../../ledger/audit-limits.ts'
import { keyIsThere } from '../../../ledger/operator-refusals.ts'
import {
  type AuditedBy,
  type AuditRow,
  type LoggedSignalRow,
  type OperatorBook,
  type OperatorKeyRow,
  SIGNALS_KEPT_S,
  TASKS_MAX,
  type TaskRow,
} from '../../../ledger/ports/operator-book.ts'
import { countBefore, insertSorted, newestFirst } from '../bot/sorted-rows.ts'
import type { Commit } from '../commit.ts'

export type MemoryOperatorRows = {
  keys: Map<string, OperatorKeyRow>
  audit: Map<number, AuditRow & { isAct: boolean }>
  auditSeq: number
  tasks: TaskRow[]
  /** By window, then side. */
  signals: LoggedSignalRow[]
}

export const createMemoryOperatorRows = (): MemoryOperatorRows => ({
  keys: new Map(),
  audit: new Map(),
  auditSeq: 0,
  tasks: [],
  signals: [],
})

/** An operator book for simulations; what it notes is there at once. A new one with the same `rows` is it after a restart. */
export function createMemoryOperatorBook(
  rows: MemoryOperatorRows,
  commit: Commit = async (apply) => apply(),
): OperatorBook {
  return { ...createKeys(rows, commit), ...createAudit(rows, commit), ...createBoard(rows, commit) }
}

type Keys = Pick<OperatorBook, 'addKey' | 'keys' | 'revokeKey' | 'noteUse'>
function createKeys({ keys }: MemoryOperatorRows, commit: Commit): Keys {
  return {
    addKey: (row) =>
      commit(() => {
        if (keys.has(row.id) || [...keys.values()].some(({ digest }) => digest === row.digest))
          throw keyIsThere(row.id)
        keys.set(row.id, copyKey({ ...row, lastUsedMs: undefined, revokedMs: undefined }))
      }),
    keys: async () => [...keys.values()].map(copyKey),
    revokeKey: (id, atMs) =>
      commit(() => {
        const key = keys.get(id)
        if (!key || (key.revokedMs ?? Number.POSITIVE_INFINITY) <= atMs) return false
        keys.set(id, { ...key, revokedMs: atMs })
        return true
      }),
    noteUse(id, atMs) {
      const key = keys.get(id)
      if (key) keys.set(id, { ...key, lastUsedMs: Math.max(key.lastUsedMs ?? atMs, atMs) })
    },
  }
}

const copyKey = (key: OperatorKeyRow): OperatorKeyRow => ({ ...key, scopes: [...key.scopes] })

type Audit = Pick<OperatorBook, 'beginAudit' | 'endAudit' | 'noteAudit' | 'auditDropped' | 'audit'>
function createAudit(rows: MemoryOperatorRows, commit: Commit): Audit {
  const { audit } = rows
  const add = (row: Omit<AuditRow, 'seq'>, isAct: boolean) => {
    rows.auditSeq++
    audit.set(rows.auditSeq, { ...row, seq: rows.auditSeq, isAct })
    purge(audit, { ...row, isAct })
    return rows.auditSeq
  }
  return {
    beginAudit: (row) => commit(() => add({ ...row, status: undefined }, true)),
    endAudit: (seq, status) =>
      commit(() => {
        const row = audit.get(seq)
        if (row) audit.set(seq, { ...row, status: row.status ?? status })
      }),
    noteAudit: (row) => void add(row, false),
    auditDropped: { rows: 0, lastMs: undefined },
    audit: async ({ limit, offset, by }) =>
      newestFirst(
        [...audit.values()].filter((row) => isBy(row, by)),
        limit,
        offset,
      ).map(({ isAct: _, ...row }) => row),
  }
}

function isBy({ keyId }: AuditRow, by: AuditedBy | undefined): boolean {
  if (by === undefined) return true
  if (typeof by === 'object') return keyId === by.keyId
  return (keyId !== undefined) === (by === 'keys')
}

type Audited = Pick<AuditRow, 'keyId' | 'atMs'> & { isAct: boolean }

/** After a row was added: what is too old, and what is too much of its part. */
function purge(audit: MemoryOperatorRows['audit'], added: Audited): void {
  for (const row of audit.values()) {
    if (row.atMs >= added.atMs - AUDIT_KEPT.ms) break
    audit.delete(row.seq)
  }
  const kept = auditRowsKept(added.keyId, added.isAct)
  // Below the bound nothing has to be counted.
  if (audit.size <= kept) return
  const isSame = ({ keyId, isAct }: Audited) =>
    keyId === added.keyId && (keyId === undefined || isAct === added.isAct)
  const own = [...audit.values()].filter(isSame)
  for (const { seq } of own.slice(0, Math.max(0, own.length - kept))) audit.delete(seq)
}

type Board = Pick<OperatorBook, 'addTask' | 'tasks' | 'addSignal' | 'signals'>
function createBoard({ tasks, signals }: MemoryOperatorRows, commit: Commit): Board {
  return {
    addTask: (row) =>
      commit(() => {
        const task = { ...row, id: (tasks.at(-1)?.id ?? 0) + 1 }
        const gaveWay = tasks.push(task) > TASKS_MAX ? tasks.shift() : undefined
        return { task: { ...task }, gaveWay }
      }),
    tasks: async () => newestFirst(tasks, TASKS_MAX).map(copy),
    addSignal: (row) =>
      commit(() => {
        if (signals.some(({ windowStartS, side }) => windowStartS === row.windowStartS && side === row.side))
          return false
        insertSorted(signals, { ...row }, isOlder)
        const firstS = row.windowStartS - SIGNALS_KEPT_S
        signals.splice(
          0,
          countBefore(signals, ({ windowStartS }) => windowStartS < firstS),
        )
        return true
      }),
    signals: async (limit) => newestFirst(signals, limit).map(copy),
  }
}

const isOlder = (a: LoggedSignalRow, b: LoggedSignalRow) =>
  a.windowStartS < b.windowStartS || (a.windowStartS === b.windowStartS && a.side < b.side)

const copy = <T extends object>(row: T): T => ({ ...row })
