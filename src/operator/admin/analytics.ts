import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { USAGE_DAYS } from '../../products/payments/services.ts'
import { Day, toDate } from '../../products/payments/x402-fields.ts'
import { PageViews, toPageViews } from './page-views.ts'
import type { AdminServices } from './services.ts'
import { groupSums, Traffic, toTraffic } from './traffic.ts'

const USAGE_SOURCE = 'ledger'
const Via = z
  .enum(['paid', 'demo', 'holder', 'free'])
  .describe(
    'Who bore the cost; free where nobody did: what is free, what failed, and a reply that was paid for and is fetched again',
  )

export const analytics = defineEndpoint({
  id: 'admin.analytics',
  method: 'GET',
  path: '/analytics',
  access: operator('admin'),
  summary: 'Traffic and page views of the last thirty days',
  description: `Calls of products over the last ${USAGE_DAYS} UTC days, today among them: per day, endpoint, access and status, with how many failed and how long replies took; and the views of pages that the pixel counted. Calls that were only asked for payment (402) and calls of the operator are not in it: those are in the audit log.`,
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    days: z.int().min(1),
    total: Traffic,
    per_day: z.array(z.object({ date: Day, ...Traffic.shape })),
    per_endpoint: z.array(z.object({ endpoint: z.string().min(1), ...Traffic.shape })),
    per_access: z.array(z.object({ access: Via, ...Traffic.shape })),
    per_status: z.array(z.object({ status: z.int().min(100).max(599), ...Traffic.shape })),
    page_views: PageViews,
  }),
  handle: async ({ payments, pageViews, clock, sourceOf }: AdminServices) => {
    const today = Math.floor(clock.now() / DAY_MS)
    const [sums, views] = await Promise.all([payments.usage(), pageViews.perDay(today - USAGE_DAYS + 1)])
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(USAGE_SOURCE),
      days: USAGE_DAYS,
      total: toTraffic(sums),
      per_day: groupSums(sums, 'day').map(([day, part]) => ({ date: toDate(day), ...toTraffic(part) })),
      per_endpoint: groupSums(sums, 'productId').map(([endpoint, part]) => ({
        endpoint,
        ...toTraffic(part),
      })),
      per_access: groupSums(sums, 'via').map(([access, part]) => ({ access, ...toTraffic(part) })),
      per_status: groupSums(sums, 'status').map(([status, part]) => ({ status, ...toTraffic(part) })),
      page_views: toPageViews(views),
    }
  },
})
