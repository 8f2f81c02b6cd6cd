import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Columns, Query } from '../../postgres/database.ts'
import type { Comparison } from './difference.ts'

/** Spread evenly over all payments; every row is in a checksum besides. */
const SAMPLED = 200

const SPREAD = `
  SELECT id FROM (SELECT id, row_number() OVER (ORDER BY seq) AS nth, count(*) OVER () AS n FROM payments)
  WHERE nth = n OR nth % max(n / ${SAMPLED}, 1) = 0 LIMIT ${SAMPLED + 1}`
const columns = (equals: string) => `
  SELECT p.id, p.seq, p.key, p.state, p.product_id, p.request, p.payer, p.network, p.amount, p.pay_to, p.payment, p.tx,
    p.settled_at_ms, p.receipt, r.text, r.as_of_ms
  FROM payments p LEFT JOIN replies r ON r.payment = p.seq WHERE p.id ${equals}`

/** What a buyer gets who asks for a purchase by its id, looked up one by one. */
export async function comparePurchases(source: DatabaseSync, query: Query): Promise<Comparison[]> {
  const ids = source
    .prepare(SPREAD)
    .all()
    .map(({ id }) => String(id))
  const find = source.prepare(columns('= ?'))
  const here = ids.map((id) => textOf(find.get(id)))
  const { rows } = await query(columns('= ANY ($1)'), [ids])
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  const there = ids.map((id) => textOf(byId.get(id)))
  const differing = ids.flatMap((what, at) =>
    here[at] === there[at]
      ? []
      : [{ what: `purchase ${what}`, source: shown(here[at]), target: shown(there[at]) }],
  )
  const what = 'purchases looked up by id'
  return [{ what, source: summary(here), target: summary(there) }, ...differing.slice(0, 5)]
}

const textOf = (row: Columns | undefined): string =>
  row
    ? JSON.stringify(
        Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
      )
    : 'none'
const SHOWN_DIGITS = 16
const shown = (text = 'none') => (text === 'none' ? text : hash('sha256', text).slice(0, SHOWN_DIGITS))
const summary = (texts: readonly string[]) =>
  `${texts.filter((text) => text !== 'none').length}, ${shown(texts.join('\n') || 'none')}`
