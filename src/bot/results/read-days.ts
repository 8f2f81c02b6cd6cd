import type { BotBook, BrokerName, TradeRow } from '../../ledger/ports/bot-book.ts'
import { dayOf } from './trade-order.ts'

type Book = Pick<BotBook, 'trades'>
const PAGE_ROWS = 1_000

/**
 * Every day of an account, newest first. Rows that are added meanwhile push others down, so a row may come twice but
 * none is left out; one that belongs to a day that was handed over already is not looked at.
 */
export async function readAllDays(
  book: Book,
  broker: BrokerName,
  hand: (day: number, rows: readonly TradeRow[]) => void,
): Promise<void> {
  let day = Number.POSITIVE_INFINITY
  let rows: TradeRow[] = []
  for await (const row of rowsFrom(book, broker, 0)) {
    if (dayOf(row) > day) continue
    if (dayOf(row) < day && rows.length > 0) {
      hand(day, rows)
      rows = []
    }
    day = dayOf(row)
    rows.push(row)
  }
  if (rows.length > 0) hand(day, rows)
}

/** The rows of one day; `rowsAfter` later ones at least come before them. */
export async function readDay(
  book: Book,
  broker: BrokerName,
  day: number,
  rowsAfter: number,
): Promise<readonly TradeRow[]> {
  const rows: TradeRow[] = []
  for await (const row of rowsFrom(book, broker, rowsAfter)) {
    if (dayOf(row) < day) break
    if (dayOf(row) === day) rows.push(row)
  }
  return rows
}

async function* rowsFrom(book: Book, broker: BrokerName, from: number) {
  for (let offset = from; ; offset += PAGE_ROWS) {
    const page = await book.trades({ broker }, { limit: PAGE_ROWS, offset })
    yield* page
    if (page.length < PAGE_ROWS) return
  }
}
