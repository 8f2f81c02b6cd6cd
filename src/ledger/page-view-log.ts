import type { Clock } from '../core/time/clock.ts'
import type { Columns } from './columns.ts'
import { createLater } from './later.ts'
import { createPageViewTally } from './page-view-tally.ts'
import type { PageViewLog, PageViewSum } from './ports/page-view-log.ts'

export type PageViewTable = {
  /** All or nothing. Each day and page is named once. */
  add(sums: readonly PageViewSum[]): Promise<void>
  /** From the day on, oldest first, then by page. */
  since(day: number): Promise<readonly Columns[]>
}

export function createPageViewLog(
  table: PageViewTable,
  clock: Clock,
): { log: PageViewLog; close(): Promise<void> } {
  const tally = createPageViewTally()
  const later = createLater(clock, async () => {
    const sums = tally.take()
    if (sums.length === 0) return
    try {
      await table.add(sums)
    } catch (error) {
      sums.forEach(tally.add)
      throw error
    }
  })
  return {
    log: {
      record(sum) {
        tally.add(sum)
        later.plan()
      },
      async perDay(sinceDay) {
        await later.run()
        return (await table.since(sinceDay)).map(toSum)
      },
    },
    close: later.close,
  }
}

const toSum = (row: Columns): PageViewSum => ({
  day: Number(row.day),
  page: String(row.page),
  views: Number(row.views),
  visitors: Number(row.visitors),
})
