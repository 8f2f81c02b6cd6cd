import type { Columns } from './columns.ts'
import type { MessageRow } from './ports/watercooler-book.ts'

/** Messages among which a repeated one is looked for: more than a minute brings. */
export const LOOKED_BACK = 500

export const toMessage = (row: Columns): MessageRow => ({
  id: Number(row.id),
  atMs: Number(row.at_ms),
  author: String(row.author),
  message: String(row.message),
})
