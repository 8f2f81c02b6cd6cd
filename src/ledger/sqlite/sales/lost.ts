import type { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../../../core/time/time.ts'
import type { SalesGroup } from '../../totals.ts'
import { prepareExact } from '../columns.ts'
import { LOST } from '../finality/finality-tables.ts'
import { type FromDay, toGroup } from './groups.ts'
import { HALF, SETTLED_DAY } from './sales-tables.ts'

/** Of a row of payments that may be lost: a few at most, so a list of them is quicker than a look for each. */
export const isKept = (row: string) => `${row}.seq NOT IN (${LOST})`

const LOST_ROWS = `(${LOST}) lost CROSS JOIN payments gone ON gone.seq = lost.payment`
const IS_OWN = 'lower(gone.payer) IN (SELECT lower(value) FROM json_each(:except))'
const lessSums = (row: string) =>
  `-count(*) AS sales, -sum(${row}.atomic / ${HALF}) AS high, -sum(${row}.atomic % ${HALF}) AS low`

const groups = (isOwn: 0 | 1) => `
  SELECT ${SETTLED_DAY} AS day, product_id, network, ${lessSums('gone')} FROM ${LOST_ROWS}
  WHERE settled_at_ms >= :fromDay * ${DAY_MS} AND (${IS_OWN}) = ${isOwn} GROUP BY 1, 2, 3`

/** What each payer lost from a day on, with its number; negative, so that it is added to the sums that are kept. */
export const lostOfPayers = (fromDay: string) => `
  SELECT y.id, ${lessSums('gone')} FROM ${LOST_ROWS} CROSS JOIN sales_payers y ON y.payer = gone.payer
  WHERE settled_at_ms >= ${fromDay} * ${DAY_MS} GROUP BY y.id`

/** Those who never paid, as it turned out. */
export const PAYERS_GONE = `
  SELECT count(*) FROM (${lostOfPayers('0')}) less JOIN sales_payers y USING (id)
  WHERE y.sales + less.sales = 0 AND id NOT IN own`

/** What one payer lost; negative too. */
export const LOST_OF_PAYER = `SELECT ${lessSums('gone')} FROM ${LOST_ROWS} WHERE gone.payer = ?`

/** Sums of whole UTC days to take away, of the wallets of `except` and of all others. */
export function prepareLost(db: DatabaseSync) {
  const [ofOthers, ofOwn] = [prepareExact(db, groups(0)), prepareExact(db, groups(1))]
  return {
    others: ({ fromDay, except }: FromDay): SalesGroup[] => ofOthers.all({ fromDay, except }).map(toGroup),
    own: ({ fromDay, except }: FromDay): SalesGroup[] => ofOwn.all({ fromDay, except }).map(toGroup),
  }
}
