import { element } from '../element.js'
import { count } from '../formats.js'
import { badge, dayOf, drawPaged, fill, MINUTE_MS, millis, statsOf, tableOf, timeOf, usd } from './draw.js'

export const ledger = {
  name: 'ledger',
  parts: [
    { asks: 'admin.usage', draw: drawSales },
    { asks: 'payments.status', draw: drawPayments, everyMs: MINUTE_MS },
  ],
}

const sales = { head: 'Sales', of: (row) => count(row.settlements), isNumber: true }
const revenue = { head: 'Revenue, USDC', of: (row) => usd(row.revenue_usdc), isNumber: true }

/** Figures of two replies stand in one row. */
const figures = { sales: [], payments: [] }
const drawFigures = () => fill('ledger-figures', statsOf([...figures.sales, ...figures.payments]))

function drawSales({ own_purchases: own, ...usage }) {
  figures.sales = [
    ['Sales in all', count(usage.settlements), `${usd(usage.revenue_usdc)} USDC`],
    ['Wallets that paid', count(usage.unique_wallets)],
    ['Your own purchases', count(own.settlements), `${usd(own.revenue_usdc)} USDC, counted nowhere else`],
  ]
  drawFigures()
  const days = [{ head: 'Day', of: ({ date }) => dayOf(date) }, sales, revenue]
  drawPaged('ledger-days', 'Revenue by day', days, usage.revenue_per_day, 'Nothing was sold yet.')
  const wallets = [
    { head: 'Wallet', of: ({ wallet }) => element('code', {}, wallet) },
    sales,
    revenue,
    { head: 'First', of: ({ first_at: at }) => timeOf(at) },
    { head: 'Last', of: ({ last_at: at }) => timeOf(at) },
  ]
  const rows = usage.wallets.toSorted((a, b) => (a.last_at < b.last_at ? 1 : -1))
  drawPaged('ledger-wallets', 'Revenue by wallet', wallets, rows, 'No wallet has paid yet.')
}

function drawPayments({ unsettled, last_settlement_at: last, networks, facilitators }) {
  figures.payments = [
    [
      'Waiting for the chain',
      count(unsettled.count),
      unsettled.oldest_age_ms === null
        ? 'none'
        : `the oldest for ${count(Math.round(unsettled.oldest_age_ms / 1000))} s`,
    ],
    ['Last sale', timeOf(last)],
  ]
  drawFigures()
  const ways = [
    { head: 'Network', of: ({ network }) => element('code', {}, network) },
    sales,
    revenue,
    { head: 'Paid to', of: ({ pay_to: to }) => element('code', {}, to) },
  ]
  fill('ledger-networks', tableOf('Ways to pay', ways, networks, 'No network is configured.'))
  fill(
    'ledger-facilitators',
    tableOf('Facilitators', FACILITATOR, facilitators.flatMap(toRows), 'There is none.'),
  )
}

/** One row for each network of a facilitator. */
const toRows = ({ networks, ...facilitator }) => networks.map((network) => ({ ...facilitator, ...network }))

const stepBadge = (step) => badge(step, step === 'ok' ? 'good' : step === 'trying' ? 'warn' : 'bad')
const FACILITATOR = [
  { head: 'Facilitator', of: ({ name }) => name },
  { head: 'Network', of: ({ network }) => element('code', {}, network) },
  { head: 'Verify', of: ({ verify }) => stepBadge(verify) },
  { head: 'Settle', of: ({ settle }) => stepBadge(settle) },
  { head: 'Latency', of: ({ latency_ms: ms }) => millis(ms), isNumber: true },
  {
    head: 'Last fault',
    of: ({ last_fault: fault, last_fault_at: at }) => (fault ? [fault, ' ', timeOf(at)] : 'none'),
  },
]
