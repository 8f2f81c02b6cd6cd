import type { TradeRow } from '../../ledger/ports/bot-book.ts'
import { type CurveStep, toCurve } from './equity-curve.ts'
import { join, NO_SUMMARY, type Summary, summarise } from './summary.ts'
import { compareTrades, dayOf, hasTraded } from './trade-order.ts'

/** The newest days with trades whose rows are kept; of every older one there is only its summary. */
const KEPT_DAYS = 3

type Day = { rowCount: number; summary: Summary; rows: ReadonlyMap<string, TradeRow> | undefined }

/** One account, day by day: about two kilobytes for each day, however many trades it had. */
export type AccountDays = {
  /** False where the rows of its day are not kept: the day must be read from the ledger and set. */
  put(trade: TradeRow): boolean
  /** All rows of a day, as the ledger has them. */
  set(day: number, rows: readonly TradeRow[]): void
  /** Rows of later days. */
  rowsAfter(day: number): number
  total(): Summary
  of(day: number): Summary
  curve(): ReturnType<typeof toCurve>
}

export function createAccountDays(): AccountDays {
  const days = new Map<number, Day>()
  /** Newest first. */
  let kept: readonly number[] = []
  let older: Summary | undefined
  const inOrder = () => [...days].sort(([a], [b]) => a - b).map(([, day]) => day)
  /** Of the days without rows, which seldom change. */
  const olderSummary = () => {
    older ??= joinAll(inOrder().filter(({ rows }) => !rows))
    return older
  }
  const keep = (number: number, rows: ReadonlyMap<string, TradeRow>) => {
    days.set(number, { rowCount: rows.size, summary: summarise(tradedOf(rows)), rows })
    const newestFirst = [...new Set([...kept, number])].sort((a, b) => b - a)
    kept = newestFirst.slice(0, KEPT_DAYS)
    for (const dropped of newestFirst.slice(KEPT_DAYS)) {
      days.set(dropped, { ...(days.get(dropped) as Day), rows: undefined })
      older = undefined
    }
  }
  return {
    put(trade) {
      const number = dayOf(trade)
      const known = days.get(number)
      const isOld = kept.length === KEPT_DAYS && number < (kept.at(-1) as number)
      if (known ? !known.rows : isOld) return false
      keep(number, new Map([...(known?.rows ?? []), [trade.conditionId, trade]]))
      return true
    },
    set: (number, rows) => keep(number, new Map(rows.map((row) => [row.conditionId, row]))),
    rowsAfter: (number) =>
      [...days].reduce((sum, [other, { rowCount }]) => (other > number ? sum + rowCount : sum), 0),
    total: () => join(olderSummary(), joinAll(inOrder().filter(({ rows }) => rows))),
    of: (number) => days.get(number)?.summary ?? NO_SUMMARY,
    curve: () => toCurve(stepsOf(inOrder())),
  }
}

const joinAll = (days: readonly Day[]) =>
  days.reduce((summary, day) => join(summary, day.summary), NO_SUMMARY)

const tradedOf = (rows: ReadonlyMap<string, TradeRow>) =>
  [...rows.values()].filter(hasTraded).sort(compareTrades)

/** One for each day, and for every trade of the newest day while its rows are kept. */
function stepsOf(days: readonly Day[]): CurveStep[] {
  const traded = days.filter(({ summary }) => summary.all.trades > 0)
  const newest = traded.at(-1)
  return traded.flatMap((day) => {
    if (day === newest && day.rows) return tradedOf(day.rows)
    const { all, lastWindowStartS } = day.summary
    return { windowStartS: lastWindowStartS as number, profitE6: all.profitE6 }
  })
}
