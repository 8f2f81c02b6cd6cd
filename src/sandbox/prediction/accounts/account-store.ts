import { closeSync, copyFileSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import { writePrivateFile } from '../../../core/private-file.ts'
import { AccountEvent, AccountOrder, AccountTrade, ApiKey, Mark, TradedMarket } from './rows.ts'

/**
 * Of orders the newest are kept. Sums follow from trades, events and markets: `forget-markets.ts` drops whole markets
 * of a wallet that are over, long before these tables are full. Where one is full nevertheless, its oldest row is
 * dropped, and the log says so.
 */
const TABLES = {
  keys: { schema: ApiKey, capacity: 1_000, isSummed: false },
  orders: { schema: AccountOrder, capacity: 5_000, isSummed: false },
  trades: { schema: AccountTrade, capacity: 50_000, isSummed: true },
  events: { schema: AccountEvent, capacity: 50_000, isSummed: true },
  markets: { schema: TradedMarket, capacity: 50_000, isSummed: true },
  marks: { schema: Mark, capacity: 10, isSummed: false },
} as const
type TableName = keyof typeof TABLES
type RowOf<Name extends TableName> = z.infer<(typeof TABLES)[Name]['schema']>

export type Table<Row> = {
  get(id: string): Row | undefined
  /** A new row drops the oldest that is over where there is no room for it. */
  put(row: Row): void
  delete(id: string): void
  /** Oldest first. */
  all(): readonly Row[]
  count(): number
  isFull(): boolean
}

/** What the venue remembers of accounts. With a file, it is there again after a restart or a kill. */
export type AccountStore = { [Name in TableName]: Table<RowOf<Name>> } & { close(): void }

/** Lines that are appended before the file is written anew. */
const MAX_APPENDED = 20_000
const Line = z.object({
  table: z.enum(Object.keys(TABLES) as TableName[]),
  id: z.string(),
  row: z.unknown().optional(),
})

type Rows = Record<TableName, Map<string, { id: string }>>

export function openAccountStore({ file, log }: { file?: string | undefined; log: Log }): AccountStore {
  const rows: Rows = {
    keys: new Map(),
    orders: new Map(),
    trades: new Map(),
    events: new Map(),
    markets: new Map(),
    marks: new Map(),
  }
  if (file !== undefined && existsSync(file)) readRows(file, rows, log)
  const journal = file === undefined ? undefined : openJournal(file, rows, log)
  const table = <Name extends TableName>(name: Name): Table<RowOf<Name>> => {
    const held = rows[name] as Map<string, RowOf<Name>>
    return {
      get: (id) => held.get(id),
      put(row) {
        keep(rows, name, row, log)
        journal?.append(name, row.id, row)
      },
      delete(id) {
        if (held.delete(id)) journal?.append(name, id, undefined)
      },
      all: () => [...held.values()],
      count: () => held.size,
      isFull: () => held.size >= TABLES[name].capacity,
    }
  }
  return {
    keys: table('keys'),
    orders: table('orders'),
    trades: table('trades'),
    events: table('events'),
    markets: table('markets'),
    marks: table('marks'),
    close: () => journal?.close(),
  }
}

function keep(rows: Rows, name: TableName, row: { id: string }, log: Log): void {
  const held = rows[name]
  if (!held.has(row.id) && held.size >= TABLES[name].capacity) {
    held.delete(findOldest(held))
    if (TABLES[name].isSummed)
      log.warn({ table: name }, 'the simulated venue forgets the oldest of an account')
  }
  held.set(row.id, row)
}

/** The oldest row that nothing will change any more; where there is none, the oldest of all. */
function findOldest(held: Rows[TableName]): string {
  for (const row of held.values()) if (!isPending(row)) return row.id
  return held.keys().next().value ?? ''
}

/** An order that may still be filled, a trade that is being settled, a market that is not resolved. */
function isPending(row: { id: string; status?: string; tokenIds?: unknown; winner?: unknown }): boolean {
  const isOpen = row.status === 'live' || row.status === 'delayed' || row.status === 'MATCHED'
  return isOpen || (row.tokenIds !== undefined && row.winner === undefined)
}

/** The newest readable line about a row counts. A last line that a kill cut off is left out. */
function readRows(file: string, rows: Rows, log: Log): void {
  const lines = readFileSync(file, 'utf8').split('\n')
  let unreadable = 0
  for (const [index, text] of lines.entries()) {
    const line = findLine(text)
    if (!line) unreadable += text === '' || index === lines.length - 1 ? 0 : 1
    else if (line.row === undefined) rows[line.table].delete(line.id)
    else keep(rows, line.table, line.row, log)
  }
  if (unreadable === 0) return
  copyFileSync(file, `${file}.damaged`)
  log.warn({ file, unreadable }, 'lines about accounts of the simulated venue cannot be read: a copy is kept')
}

function findLine(
  text: string,
): { table: TableName; id: string; row: { id: string } | undefined } | undefined {
  try {
    const { table, id, row } = Line.parse(JSON.parse(text))
    return { table, id, row: row === undefined ? undefined : TABLES[table].schema.parse(row) }
  } catch {
    return undefined
  }
}

const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

/** A file that cannot be written costs the memory of a restart, not the venue. */
function openJournal(file: string, rows: Rows, log: Log) {
  const lineOf = (table: string, id: string, row: unknown) =>
    `${JSON.stringify({ table, id, row }, bigintAsText)}\n`
  const open = () => {
    const whole = Object.entries(rows).flatMap(([table, held]) =>
      [...held.values()].map((row) => lineOf(table, row.id, row)),
    )
    writePrivateFile(file, whole.join(''))
    return openSync(file, 'a', 0o600)
  }
  let handle: number | undefined = open()
  let appended = 0
  const close = () => {
    if (handle !== undefined) closeSync(handle)
    handle = undefined
  }
  return {
    append(table: TableName, id: string, row: unknown) {
      if (handle === undefined) return
      try {
        if (++appended <= MAX_APPENDED) return void writeSync(handle, lineOf(table, id, row))
        close()
        handle = open()
        appended = 0
      } catch (error) {
        log.error({ file, error: String(error) }, 'the accounts of the simulated venue are no longer kept')
        close()
      }
    },
    close,
  }
}
