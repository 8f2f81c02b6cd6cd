import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'

export type Columns = { [column: string]: SQLOutputValue }

/** A statement that reads integers as bigint: amounts may be beyond what a number holds exactly. */
export function prepareExact(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql)
  statement.setReadBigInts(true)
  return statement
}

export const findText = (value: SQLOutputValue | undefined) => (value == null ? undefined : String(value))
export const findNumber = (value: SQLOutputValue | undefined) => (value == null ? undefined : Number(value))
/** Of a statement that reads exactly. */
export const toAmount = (value: SQLOutputValue | undefined) => value as bigint
export const findAmount = (value: SQLOutputValue | undefined) =>
  value == null ? undefined : (value as bigint)
