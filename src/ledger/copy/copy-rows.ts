import type { DatabaseSync } from 'node:sqlite'
import type { Query } from '../postgres/database.ts'
import { prepareExact } from '../sqlite/columns.ts'
import { type Checksum, createChecksum } from './checksum.ts'
import type { CopiedColumn } from './columns.ts'
import type { CopiedTable } from './tables.ts'
import { findConverter, hasNul, replaceNul, type Value } from './value.ts'

/** What is in memory at once, whichever is reached first. */
const BATCH_ROWS = 1_000
const BATCH_CHARS = 2_000_000

export type RowsCopied = {
  /** Of what was sent. */
  checksum: Checksum
  /** Words in which a character was replaced. */
  replaced: number
}

type Input = {
  source: DatabaseSync
  query: Query
  table: CopiedTable
  columns: readonly CopiedColumn[]
  onRows(done: number): void
}

/** Copies a table, batch by batch. What the target refuses is told with the table's name. */
export async function copyRows({ source, query, table, columns, onRows }: Input): Promise<RowsCopied> {
  const checksum = createChecksum()
  const reader = createRowReader(table, columns)
  const insert = insertOf(table.table, columns)
  let batch: Value['sent'][][] = columns.map(() => [])
  let chars = 0
  let done = 0
  const send = async () => {
    const rows = batch[0]?.length ?? 0
    if (rows === 0) return
    await query(insert, batch)
    done += rows
    onRows(done)
    batch = columns.map(() => [])
    chars = 0
  }
  for (const row of prepareExact(source, selectOf(table.table, columns)).iterate()) {
    const values = reader.read(Object.values(row))
    checksum.add(values.map(({ seen }) => seen))
    values.forEach(({ sent, seen }, at) => {
      batch[at]?.push(sent)
      chars += seen?.length ?? 0
    })
    if ((batch[0]?.length ?? 0) >= BATCH_ROWS || chars >= BATCH_CHARS) await send()
  }
  await send()
  return { checksum: checksum.result(), replaced: reader.replaced() }
}

/** Each expression has a name of its own: two columns may be read from one. */
const selectOf = (table: string, columns: readonly CopiedColumn[]) =>
  `SELECT ${columns.map(({ from }, at) => `${from} AS c${at}`).join(', ')} FROM ${table}`

const insertOf = (table: string, columns: readonly CopiedColumn[]) => `
  INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) OVERRIDING SYSTEM VALUE
  SELECT * FROM unnest(${columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')})`

function createRowReader({ table, words = [] }: CopiedTable, columns: readonly CopiedColumn[]) {
  let replaced = 0
  const converters = columns.map(({ name, type }) => {
    const convert = findConverter(type)
    if (!convert) throw new Error(`${table}.${name} is of the type ${type}, which this release cannot copy`)
    return { name, convert, mayReplace: words.includes(name), holdsNul: type === 'bytea' }
  })
  type Cell = Parameters<(typeof converters)[0]['convert']>[0]
  const toValue = (
    { name, convert, mayReplace, holdsNul }: (typeof converters)[0],
    cell: Cell,
    row: Cell[],
  ) => {
    if (holdsNul || !hasNul(cell)) return convert(cell)
    if (!mayReplace)
      throw new Error(
        `${table}.${name} has a NUL character in the row that begins with ${JSON.stringify(String(row[0]))}, which PostgreSQL cannot hold, and what is written there must not change: tell the makers`,
      )
    replaced += 1
    return convert(replaceNul(cell))
  }
  return {
    read: (row: Cell[]): Value[] =>
      converters.map((converter, at) => toValue(converter, row[at] ?? null, row)),
    replaced: () => replaced,
  }
}
