import type { DatabaseSync } from 'node:sqlite'
import type { PageViewTable } from '../../page-view-log.ts'
import { PAGE_VIEW_DAYS_KEPT, type PageViewSum } from '../../ports/page-view-log.ts'
import type { GroupCommit } from '../group-commit.ts'

export function createSqlitePageViews(db: DatabaseSync, commit: GroupCommit): PageViewTable {
  const upsert = db.prepare(`
    INSERT INTO community_page_views (day, page, views, visitors) VALUES (:day, :page, :views, :visitors)
    ON CONFLICT (day, page) DO UPDATE SET views = views + excluded.views, visitors = visitors + excluded.visitors
  `)
  const forget = db.prepare('DELETE FROM community_page_views WHERE day <= ?')
  const since = db.prepare('SELECT * FROM community_page_views WHERE day >= ? ORDER BY day, page')
  const add = (sum: PageViewSum) => {
    upsert.run(sum)
    forget.run(sum.day - PAGE_VIEW_DAYS_KEPT)
  }
  return {
    add: (sums) => commit.write(() => sums.forEach(add)),
    since: (day) => commit.read(() => since.all(day)),
  }
}
