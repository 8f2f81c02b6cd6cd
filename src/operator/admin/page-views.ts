import { z } from 'zod'
import { ALL_PAGES, type PageViewSum } from '../../ledger/ports/page-view-log.ts'
import { Day, toDate } from '../../products/payments/x402-fields.ts'
import { Count } from '../fields.ts'

const Views = {
  views: Count.describe('At most one per visitor, page and minute'),
  visitors: Count.describe(
    'Told apart within a day only, and since the last start: those of several days are added up',
  ),
}

export const PageViews = z
  .object({
    ...Views,
    per_day: z.array(z.object({ date: Day, ...Views })),
    per_page: z.array(z.object({ page: z.string(), ...Views })).describe('Most views first'),
  })
  .describe('What the pixel counted; without those who ask not to be counted')

export function toPageViews(sums: readonly PageViewSum[]): z.input<typeof PageViews> {
  const days = sums.filter(({ page }) => page === ALL_PAGES)
  const pages = [...Map.groupBy(sums, ({ page }) => page)].filter(([page]) => page !== ALL_PAGES)
  return {
    ...addUp(days),
    per_day: days.map(({ day, views, visitors }) => ({ date: toDate(day), views, visitors })),
    per_page: pages.map(([page, ofPage]) => ({ page, ...addUp(ofPage) })).sort((a, b) => b.views - a.views),
  }
}

const addUp = (sums: readonly PageViewSum[]) => ({
  views: sums.reduce((sum, { views }) => sum + views, 0),
  visitors: sums.reduce((sum, { visitors }) => sum + visitors, 0),
})
