import { Refusal } from '../../../prediction/accounts/refusal.ts'

const FIRST_CURSOR = 'MA=='
/** `-1`, as the venue ends a list. */
const END_CURSOR = 'LTE='
const PAGE_ROWS = 100

/** One page of a list; the cursor is the base64 of the next row's number. */
export function toPage<Row>(rows: readonly Row[], cursor: string | null) {
  const text = Buffer.from(cursor || FIRST_CURSOR, 'base64').toString()
  if (cursor === END_CURSOR) return { data: [], next_cursor: END_CURSOR, limit: PAGE_ROWS, count: 0 }
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(400, 'invalid next_cursor')
  const from = Number(text)
  const data = rows.slice(from, from + PAGE_ROWS)
  const next = from + PAGE_ROWS
  const isLast = next >= rows.length
  const next_cursor = isLast ? END_CURSOR : Buffer.from(String(next)).toString('base64')
  return { data, next_cursor, limit: PAGE_ROWS, count: data.length }
}
