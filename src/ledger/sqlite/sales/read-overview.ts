import type { DatabaseSync } from 'node:sqlite'
import type { Usd } from '../../../core/money.ts'
import type { SalesOverview } from '../../ports/payment-book-queries.ts'
import { foldSales } from '../../totals.ts'
import { type Columns, findNumber, prepareExact } from '../columns.ts'
import { OWN, ownDays, toGroup } from './groups.ts'
import { PAYERS_GONE, prepareLost } from './lost.ts'

/** Of all time, whatever the day. */
const EVER = '0 AS day, k.product_id, k.network'
const KINDS = `SELECT ${EVER}, k.sales, k.high, k.low, k.last_ms FROM sales_kinds k`
const LESS_OWN = `${ownDays(`${EVER}, -sum(d.sales) AS sales, -sum(d.high) AS high, -sum(d.low) AS low`)} GROUP BY k.id`
const PAYERS = `
  WITH ${OWN} SELECT coalesce(max(id), 0) - (SELECT count(*) FROM own) - (${PAYERS_GONE}) AS payers
  FROM sales_payers`
// Both conditions: the second is the index's own, without which SQLite would not use it.
const UNSETTLED = `
  SELECT count(*) AS count, min(claimed_at_ms) AS oldest_ms FROM payments INDEXED BY payments_unfinished
  WHERE state = 'settling' AND state IN ('claimed', 'settling')`

/** Reads a row for each kind of sale, one for each day of the wallets left out, and what is under way. */
export function prepareOverview(db: DatabaseSync): (exceptPayers: readonly string[]) => SalesOverview {
  const kinds = prepareExact(db, KINDS)
  const lessOwn = prepareExact(db, LESS_OWN)
  const lost = prepareLost(db)
  const payers = db.prepare(PAYERS)
  const unsettled = db.prepare(UNSETTLED)
  return (exceptPayers) => {
    const ever = { fromDay: 0, except: JSON.stringify(exceptPayers) }
    const rows = kinds.all()
    const ofOwn = lessOwn.all(ever).map(toGroup)
    const [own, ownLost] = [foldSales(ofOwn), foldSales(lost.own(ever))]
    const kept = foldSales([...rows.map(toGroup), ...ofOwn, ...lost.others(ever)])
    const { count, revenue, perNetwork } = kept
    return {
      customers: { count, revenue },
      payers: Number(payers.get({ except: ever.except })?.payers),
      perNetwork,
      own: { count: ownLost.count - own.count, revenue: (ownLost.revenue - own.revenue) as Usd },
      lastSettledMs: latestOf(rows),
      unsettled: toUnsettled(unsettled.get() as Columns),
    }
  }
}

function latestOf(rows: readonly Columns[]): number | undefined {
  return rows.length === 0 ? undefined : Math.max(...rows.map((row) => Number(row.last_ms)))
}

const toUnsettled = ({ count, oldest_ms }: Columns): SalesOverview['unsettled'] => ({
  count: Number(count),
  oldestMs: findNumber(oldest_ms),
})
