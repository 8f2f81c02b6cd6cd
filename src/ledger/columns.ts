/** A row as a database gives it. */
export type Columns = { [column: string]: unknown }

export const findText = (value: unknown) => (value == null ? undefined : String(value))
export const findNumber = (value: unknown) => (value == null ? undefined : Number(value))
/** Whole numbers of 64 bits, which SQLite reads as bigint where it is told to, and PostgreSQL sends as text. */
export const toAmount = (value: unknown) => BigInt(value as bigint | string)
export const findAmount = (value: unknown) => (value == null ? undefined : toAmount(value))
