import type { PageViewTable } from '../../page-view-log.ts'
import { PAGE_VIEW_DAYS_KEPT } from '../../ports/page-view-log.ts'
import type { Database } from '../database.ts'

/** Both go through the rows in one order, from the oldest, so that two processes never wait for each other. */
const FORGET = `
  DELETE FROM community_page_views WHERE (day, page) IN (
    SELECT day, page FROM community_page_views WHERE day <= $1 ORDER BY day, page FOR UPDATE)`
const ADD = `
  INSERT INTO community_page_views (day, page, views, visitors)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) AS given (day, page, views, visitors)
  ORDER BY day, page COLLATE "C"
  ON CONFLICT (day, page) DO UPDATE SET views = community_page_views.views + excluded.views,
    visitors = community_page_views.visitors + excluded.visitors`
const SINCE = 'SELECT * FROM community_page_views WHERE day >= $1 ORDER BY day, page'

const FIELDS = ['day', 'page', 'views', 'visitors'] as const

export function createPostgresPageViews({ query, transaction }: Database): PageViewTable {
  return {
    add: (sums) =>
      transaction(async (statements) => {
        const newest = Math.max(...sums.map(({ day }) => day))
        await statements.query(FORGET, [newest - PAGE_VIEW_DAYS_KEPT])
        const columns = FIELDS.map((field) => sums.map((sum) => sum[field]))
        await statements.query(ADD, columns)
      }),
    since: async (day) => (await query(SINCE, [day])).rows,
  }
}
