import { element } from '../element.js'
import { count } from '../formats.js'
import { dayOf, drawPaged, fill, millis, productOf, statsOf, tableOf } from './draw.js'

export const usage = { name: 'usage', parts: [{ asks: 'admin.analytics', draw }] }

const traffic = [
  { head: 'Calls', of: ({ calls }) => count(calls), isNumber: true },
  { head: 'Failed', of: ({ failed }) => count(failed), isNumber: true },
  { head: 'Mean', of: ({ latency_ms: ms }) => millis(ms?.mean), isNumber: true },
  { head: 'Slowest', of: ({ latency_ms: ms }) => millis(ms?.max), isNumber: true },
]
const NONE = 'No calls yet.'
const BEARERS = {
  paid: 'buyers, by payment',
  demo: 'us, free calls of the day',
  holder: 'holders, from their allowance',
  free: 'nobody: free, failed or fetched again',
}

function draw({
  total,
  per_day: days,
  per_endpoint: endpoints,
  per_access: access,
  per_status: statuses,
  page_views: views,
}) {
  fill(
    'usage-figures',
    statsOf([
      ['Calls', count(total.calls), `${count(total.failed)} failed`],
      ['Reply, mean', millis(total.latency_ms?.mean), `slowest ${millis(total.latency_ms?.max)}`],
      ['Views of pages', count(views.views), `${count(views.visitors)} visitors, told apart within a day`],
    ]),
  )
  drawPaged(
    'usage-days',
    'Calls by day',
    [{ head: 'Day', of: ({ date }) => dayOf(date) }, ...traffic],
    days.toReversed(),
    NONE,
  )
  const byCalls = endpoints.toSorted((a, b) => b.calls - a.calls)
  const endpoint = { head: 'Endpoint', of: (row) => productOf(row.endpoint) }
  drawPaged('usage-endpoints', 'Calls by endpoint', [endpoint, ...traffic], byCalls, NONE)
  const bearer = { head: 'Borne by', of: (row) => BEARERS[row.access] }
  fill('usage-access', tableOf('Calls by who bore the cost', [bearer, ...traffic], access, NONE))
  fill(
    'usage-status',
    tableOf('Calls by status', [{ head: 'Status', of: ({ status }) => status }, ...traffic], statuses, NONE),
  )
  const page = [
    { head: 'Page', of: (row) => element('code', {}, row.page) },
    { head: 'Views', of: (row) => count(row.views), isNumber: true },
    { head: 'Visitors', of: ({ visitors }) => count(visitors), isNumber: true },
  ]
  drawPaged('usage-pages', 'Views by page', page, views.per_page, 'No page was viewed yet.')
}
