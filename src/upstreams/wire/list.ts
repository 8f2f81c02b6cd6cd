import { z } from 'zod'
import { fault } from './number.ts'
import { describeFault } from './reply.ts'
import { wireArray } from './text.ts'

/** Longest text that is read as a list: two token ids need 170. */
const MAX_LIST_CHARS = 10_000
export const MAX_REASONS = 5
/** Above this share of bad rows it is not a row that is bad but the format that changed. */
const MAX_BAD_SHARE = 0.5

/** Rows that were left out, and why: the first few reasons. */
export type Skipped = { count: number; reasons: readonly string[] }
export const NONE_SKIPPED: Skipped = { count: 0, reasons: [] }

/** A list, or a text that holds one as JSON: `"[\"Up\", \"Down\"]"`. */
export const wireList = <Item extends z.ZodType>(item: Item, maxItems: number) =>
  z.unknown().optional().transform(toList).pipe(wireArray(item, maxItems))

/** Undefined where there is none: missing, null or an empty text. */
export const maybeList = <Item extends z.ZodType>(item: Item, maxItems: number) =>
  z
    .unknown()
    .optional()
    .transform((value, context) =>
      value === null || value === '' || value === undefined ? undefined : toList(value, context),
    )
    .pipe(wireArray(item, maxItems).optional())

function toList(value: unknown, { issues }: { issues: unknown[] }): unknown {
  if (typeof value !== 'string') return value
  try {
    if (value.length <= MAX_LIST_CHARS) return JSON.parse(value)
  } catch {
    // Refused below.
  }
  issues.push(fault(value, 'a list as JSON'))
  return z.NEVER
}

/** The rows that keep the format; `isBroken` when most do not. */
export function readRows<Row extends z.ZodType>(
  rows: readonly unknown[],
  schema: Row,
): { rows: z.output<Row>[]; skipped: Skipped; isBroken: boolean } {
  const good: z.output<Row>[] = []
  const reasons: string[] = []
  let count = 0
  for (const [index, row] of rows.entries()) {
    const parsed = schema.safeParse(row)
    if (parsed.success) good.push(parsed.data)
    else if (++count <= MAX_REASONS) reasons.push(`[${index}] ${describeFault(parsed.error)}`)
  }
  return { rows: good, skipped: { count, reasons }, isBroken: count > rows.length * MAX_BAD_SHARE }
}

/** The issue of a list that is broken. */
export const brokenRows = ({ count, reasons }: Skipped) => ({
  code: 'custom' as const,
  input: undefined,
  message: `${count} rows break the format: ${reasons[0]}`,
})
