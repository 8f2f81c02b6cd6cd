import { toSignal, toTask } from '../../operator/operator-rows.ts'
import { type OperatorBook, SIGNALS_KEPT_S, TASKS_MAX } from '../../ports/operator-book.ts'
import type { Database } from '../database.ts'

type Board = Pick<OperatorBook, 'addTask' | 'tasks' | 'addSignal' | 'signals'>

const ONE_AT_A_TIME = 'LOCK TABLE operator_tasks IN EXCLUSIVE MODE'
const ADD_TASK = `
  INSERT INTO operator_tasks (created_ms, made_by, title, detail, priority, assignee)
  VALUES ($1, $2, $3, $4, $5, $6) RETURNING *`
const DROP_TASK = `
  DELETE FROM operator_tasks WHERE id = (SELECT min(id) FROM operator_tasks)
    AND (SELECT count(*) FROM operator_tasks) > ${TASKS_MAX} RETURNING *`
const TASKS = 'SELECT * FROM operator_tasks ORDER BY id DESC'
const ADD_SIGNAL = `
  INSERT INTO operator_signals (window_start_s, side, coin, confidence, price, indicators, source, made_by, at_ms)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`
/** In one order, so that two processes never wait for each other. */
const DROP_SIGNALS = `
  DELETE FROM operator_signals WHERE (window_start_s, side) IN (
    SELECT window_start_s, side FROM operator_signals WHERE window_start_s < $1
    ORDER BY window_start_s, side FOR UPDATE)`
const SIGNALS = 'SELECT * FROM operator_signals ORDER BY window_start_s DESC, side DESC LIMIT $1'

/** What the operator and his tools leave for each other: tasks, and predictions to be checked later. */
export function createPostgresBoard({ query, transaction }: Database): Board {
  return {
    addTask: ({ createdMs, by, title, detail, priority, assignee }) =>
      transaction(async (statements) => {
        await statements.query(ONE_AT_A_TIME)
        const values = [createdMs, by, title, detail ?? null, priority, assignee ?? null]
        const added = await statements.query(ADD_TASK, values)
        const [old] = (await statements.query(DROP_TASK)).rows
        return { task: toTask(added.rows[0] ?? {}), gaveWay: old && toTask(old) }
      }),
    tasks: async () => (await query(TASKS)).rows.map(toTask),
    addSignal: ({ windowStartS, side, coin, confidence, price, indicators, source, by, atMs }) =>
      transaction(async (statements) => {
        const about = [coin, confidence, price, indicators ?? null, source ?? null]
        const added = await statements.query(ADD_SIGNAL, [windowStartS, side, ...about, by, atMs])
        if (added.count === 0) return false
        await statements.query(DROP_SIGNALS, [windowStartS - SIGNALS_KEPT_S])
        return true
      }),
    signals: async (limit) => (await query(SIGNALS, [limit])).rows.map(toSignal),
  }
}
