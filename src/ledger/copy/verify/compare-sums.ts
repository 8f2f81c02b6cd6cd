import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { toAmount } from '../../columns.ts'
import type { Columns, Query } from '../../postgres/database.ts'
import { SETTLED_DAY as SETTLED_DAY_THERE } from '../../postgres/sales/sales-tables.ts'
import { prepareExact } from '../../sqlite/columns.ts'
import { HALF, SETTLED_DAY, SETTLED_SUMS } from '../../sqlite/sales/sales-tables.ts'
import type { Comparison } from './difference.ts'

/** What a list of many groups is told by. */
const SHOWN_DIGITS = 16
/** Groups that are named where a list differs. */
const LISTED = 5

type Group = { name: string; text: string }
type Sums = { what: string; source: string; target: string }

const THERE = 'count(*) AS sales, coalesce(sum(atomic), 0)::text AS revenue'

/** Each of its own SQL on both sides: nothing that was copied is trusted. */
const BY_STATE: Sums = {
  what: 'payments',
  source: `SELECT state AS name, ${SETTLED_SUMS} FROM payments GROUP BY state ORDER BY state`,
  target: `SELECT state AS name, ${THERE} FROM payments GROUP BY state ORDER BY state`,
}
const LISTS: readonly Sums[] = [
  {
    what: 'payments settled, per day and product',
    source: `SELECT (${SETTLED_DAY}) || ' ' || network || ' ' || product_id AS name, ${SETTLED_SUMS} FROM payments
      WHERE state = 'settled' GROUP BY 1`,
    target: `SELECT (${SETTLED_DAY_THERE}) || ' ' || network || ' ' || product_id AS name, ${THERE} FROM payments
      WHERE state = 'settled' GROUP BY 1`,
  },
  {
    what: 'sums of reports, per day and product',
    source: `SELECT day || ' ' || network || ' ' || product_id AS name, sum(d.sales) AS sales, sum(d.high) AS high,
        sum(d.low) AS low FROM sales_days d JOIN sales_kinds k ON k.id = d.kind GROUP BY 1`,
    target: `SELECT day || ' ' || network || ' ' || product_id AS name, sum(d.sales) AS sales,
        sum(d.revenue)::text AS revenue FROM sales_days d JOIN sales_kinds k ON k.id = d.kind GROUP BY 1`,
  },
]

const toGroup = ({ name, sales, revenue, high, low }: Columns): Group => ({
  name: String(name),
  text: `${sales} of ${revenue ?? toAmount(high) * HALF + toAmount(low)}`,
})

/** Payments by state, and two lists of sums. A list is one line, and one more for each group that differs. */
export async function compareSums(source: DatabaseSync, query: Query): Promise<Comparison[]> {
  const read = async (sums: Sums) => ({
    here: toMap(prepareExact(source, sums.source).all().map(toGroup)),
    there: toMap((await query(sums.target)).rows.map(toGroup)),
  })
  const states = await read(BY_STATE)
  const lines = differing(states.here, states.there, true).map((line) => ({
    ...line,
    what: `${BY_STATE.what} ${line.what}`,
  }))
  for (const sums of LISTS) {
    const { here, there } = await read(sums)
    lines.push({ what: sums.what, source: toLine(here), target: toLine(there) })
    lines.push(...differing(here, there, false).slice(0, LISTED))
  }
  return lines
}

const toMap = (groups: readonly Group[]) => new Map(groups.map(({ name, text }) => [name, text]))

function toLine(groups: ReadonlyMap<string, string>): string {
  const text = [...groups].map(([name, sum]) => `${name} ${sum}\n`).sort()
  return `${groups.size} groups, ${createHash('sha256').update(text.join('')).digest('hex').slice(0, SHOWN_DIGITS)}`
}

function differing(
  here: ReadonlyMap<string, string>,
  there: ReadonlyMap<string, string>,
  withSame: boolean,
): Comparison[] {
  const names = [...new Set([...here.keys(), ...there.keys()])].sort()
  return names
    .map((what) => ({ what, source: here.get(what) ?? 'none', target: there.get(what) ?? 'none' }))
    .filter(({ source, target }) => withSame || source !== target)
}
