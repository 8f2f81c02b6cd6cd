/** A spreadsheet takes what begins with one of these for a formula, and runs it. */
const FORMULA = /^[=+\-@\t\r\n]/

/** RFC 4180. Cells that a spreadsheet would run are marked as text by a leading apostrophe. */
export function toCsv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('')
}
type Cell = string | number | null

function toCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
}
