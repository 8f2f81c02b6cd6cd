import type { DatabaseSync } from 'node:sqlite'
import { toSignal, toTask } from '../../operator/operator-rows.ts'
import {
  type LoggedSignalRow,
  type OperatorBook,
  SIGNALS_KEPT_S,
  TASKS_MAX,
  type TaskRow,
} from '../../ports/operator-book.ts'
import type { Columns } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'

type Board = Pick<OperatorBook, 'addTask' | 'tasks' | 'addSignal' | 'signals'>

/** What the operator and his tools leave for each other: tasks, and predictions to be checked later. */
export function createSqliteBoard(db: DatabaseSync, commit: GroupCommit): Board {
  const write = prepareWrites(db)
  const tasks = db.prepare('SELECT * FROM operator_tasks ORDER BY id DESC')
  const signals = db.prepare('SELECT * FROM operator_signals ORDER BY window_start_s DESC, side DESC LIMIT ?')
  return {
    addTask: (row) => commit.write(() => write.task(row)),
    tasks: () => commit.read(() => tasks.all().map(toTask)),
    addSignal: (row) => commit.write(() => write.signal(row)),
    signals: (limit) => commit.read(() => signals.all(limit).map(toSignal)),
  }
}

function prepareWrites(db: DatabaseSync) {
  const count = db.prepare('SELECT count(*) AS n FROM operator_tasks')
  const dropOldest = db.prepare(
    'DELETE FROM operator_tasks WHERE id = (SELECT min(id) FROM operator_tasks) RETURNING *',
  )
  const dropSignals = db.prepare('DELETE FROM operator_signals WHERE window_start_s < ?')
  const task = db.prepare(`
    INSERT INTO operator_tasks (created_ms, made_by, title, detail, priority, assignee) VALUES (?, ?, ?, ?, ?, ?)
    RETURNING *
  `)
  const isThere = db.prepare('SELECT 1 FROM operator_signals WHERE window_start_s = ? AND side = ?')
  const signal = db.prepare(`
    INSERT INTO operator_signals (window_start_s, side, coin, confidence, price, indicators, source, made_by, at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  `)
  return {
    task({ createdMs, by, title, detail, priority, assignee }: Omit<TaskRow, 'id'>) {
      const what = [title, detail ?? null, priority, assignee ?? null]
      const added = toTask(task.get(createdMs, by, ...what) as Columns)
      const old = Number(count.get()?.n) > TASKS_MAX ? dropOldest.get() : undefined
      return { task: added, gaveWay: old && toTask(old) }
    },
    signal(row: LoggedSignalRow): boolean {
      const { windowStartS, side, coin, confidence, price, indicators, source, by, atMs } = row
      if (isThere.get(windowStartS, side)) return false
      const about = [coin, confidence, price, indicators ?? null, source ?? null]
      signal.run(windowStartS, side, ...about, by, atMs)
      dropSignals.run(windowStartS - SIGNALS_KEPT_S)
      return true
    },
  }
}
