import type { DatabaseSync } from 'node:sqlite'
import type { Query } from '../../postgres/database.ts'
import { type Checksum, checksumOf } from '../checksum.ts'
import type { CopiedColumn } from '../columns.ts'
import { lastNumber, nextNumber } from '../sequences.ts'
import { comparePurchases } from './compare-purchases.ts'
import { compareRecord } from './compare-record.ts'
import { compareSums } from './compare-sums.ts'
import type { Comparison } from './difference.ts'

/** A table as it was sent. */
export type SentTable = { table: string; columns: readonly CopiedColumn[]; checksum: Checksum }

/** Looks everything up in both ledgers anew. */
export async function compareLedgers(
  source: DatabaseSync,
  query: Query,
  sent: readonly SentTable[],
): Promise<Comparison[]> {
  const lines: Comparison[] = []
  for (const table of sent) lines.push(...(await compareRows(source, query, table)))
  for (const { table, columns } of sent)
    for (const { name } of columns.filter(({ isIdentity }) => isIdentity))
      lines.push(await compareSequence(source, query, table, name))
  lines.push(...(await compareSums(source, query)))
  lines.push(...(await compareRecord(source, query)), ...(await comparePurchases(source, query)))
  return lines
}

/** What is counted is in the source; the checksum is of what was sent. */
async function compareRows(
  source: DatabaseSync,
  query: Query,
  { table, columns, checksum }: SentTable,
): Promise<Comparison[]> {
  const there = await checksumOf(query, table, columns)
  const rows = source.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n
  const counted = { what: `${table}, rows`, source: String(rows), target: String(there.rows) }
  if (there.sum === checksum.sum) return [counted]
  return [counted, { what: `${table}, checksum of all rows`, source: checksum.sum, target: there.sum }]
}

/** The next number must be beyond the last one of the source. */
async function compareSequence(
  source: DatabaseSync,
  query: Query,
  table: string,
  column: string,
): Promise<Comparison> {
  const sequence = lastNumber(source, table, column)
  const next = await nextNumber(query, sequence)
  return { what: `${table}, next ${column}`, source: String(sequence.last + 1n), target: String(next) }
}
