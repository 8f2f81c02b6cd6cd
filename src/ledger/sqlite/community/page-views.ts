import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../core/time/clock.ts'
import { createPageViewTally } from '../../page-view-tally.ts'
import { PAGE_VIEW_DAYS_KEPT, type PageViewLog, type PageViewSum } from '../../ports/page-view-log.ts'
import type { GroupCommit } from '../group-commit.ts'
import { createLater } from '../later.ts'

export function createSqlitePageViews(
  db: DatabaseSync,
  commit: GroupCommit,
  clock: Clock,
): { log: PageViewLog; close(): void } {
  const { add, select } = prepareStatements(db)
  const tally = createPageViewTally()
  const later = createLater(clock, async () => {
    const sums = tally.take()
    if (sums.length === 0) return
    try {
      await commit.write(() => sums.forEach(add))
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
        return commit.read(() => select(sinceDay))
      },
    },
    close: later.close,
  }
}

function prepareStatements(db: DatabaseSync) {
  const upsert = db.prepare(`
    INSERT INTO community_page_views (day, page, views, visitors) VALUES (:day, :page, :views, :visitors)
    ON CONFLICT (day, page) DO UPDATE SET views = views + excluded.views, visitors = visitors + excluded.visitors
  `)
  const forget = db.prepare('DELETE FROM community_page_views WHERE day <= ?')
  const since = db.prepare('SELECT * FROM community_page_views WHERE day >= ? ORDER BY day, page')
  return {
    add(sum: PageViewSum): void {
      upsert.run(sum)
      forget.run(sum.day - PAGE_VIEW_DAYS_KEPT)
    },
    select: (day: number): PageViewSum[] =>
      since.all(day).map((row) => ({
        day: Number(row.day),
        page: String(row.page),
        views: Number(row.views),
        visitors: Number(row.visitors),
      })),
  }
}
