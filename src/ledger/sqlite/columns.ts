import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'

export { findNumber, findText } from '../columns.ts'

export type Columns = { [column: string]: SQLOutputValue }

/** A statement that reads integers as bigint: amounts may be beyond what a number holds exactly. */
export function prepareExact(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReadBigInts(true)
  return statement
}
