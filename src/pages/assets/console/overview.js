import { element } from '../element.js'
import { count } from '../formats.js'
import {
  age,
  badge,
  fieldsOf,
  fill,
  MINUTE_MS,
  millis,
  productOf,
  profit,
  statsOf,
  tableOf,
  timeOf,
  usd,
} from './draw.js'

const STATE_TONES = {
  running: 'good',
  starting: 'warn',
  paused: 'warn',
  limited: 'warn',
  stopped: 'bad',
  blocked: 'bad',
}
const CHECK_TONES = { ok: 'good', degraded: 'warn', down: 'bad', idle: 'idle' }
const WORST_FIRST = ['down', 'degraded', 'ok', 'idle']

const WEEK_DAYS = 7
const DAY_MS = 86_400_000

const stateBadge = (state) => badge(state, STATE_TONES[state] ?? 'warn')
const breakerBadge = ({ open }) => (open ? badge('open', 'bad') : badge('closed', 'good'))
export const brokerWords = ({ broker, sim }) => (sim ? 'paper (simulated money)' : broker)

export const overview = {
  name: 'overview',
  parts: [
    { asks: 'admin.dashboard', draw: drawDashboard },
    { asks: 'admin.usage', draw: drawSales },
    { asks: 'admin.portfolio', draw: drawAccounts },
    { asks: 'service.health', draw: drawHealth, everyMs: MINUTE_MS },
  ],
}

function drawDashboard({ mode, revenue, calls_today: calls, bot, health, tasks, ...payments }) {
  const { today, total } = revenue
  const { undone_payments: undone, refused_payments: refused } = payments
  fill(
    'overview-figures',
    statsOf([
      ['Revenue today', usd(today.revenue_usdc), salesOf(today)],
      [`Revenue of ${WEEK_DAYS} days`, element('span', { 'data-part': 'overview-week' }, '…')],
      ['Revenue in all', usd(total.revenue_usdc), salesOf(total)],
      ['Lost to the chain', usd(undone.lost.revenue_usdc), undoneWords(undone)],
      ['Refused payments', count(refused.count), startedAt(refused)],
      [
        'Calls today',
        count(calls.calls),
        `${count(calls.failed)} failed, ${millis(calls.latency_ms?.mean)} on average`,
      ],
      [
        'Health',
        badge(health.status, CHECK_TONES[health.status]),
        `${health.troubles.length} of ${health.checks} checks in trouble`,
      ],
      ['Tasks', count(tasks.count), `${tasks.per_priority.high} of high priority`],
      ['Mode', mode, mode === 'live' ? 'real money' : 'play money'],
    ]),
  )
  if (week) fill('overview-week', ...week())
  drawRefused(refused)
  fill('overview-bot', botFields(bot), ...[...bot.obstacles, ...bot.notes].map(toNotice))
}

/** Settled payments that a reorganisation took back. */
const undoneWords = ({ lost, open, paid_again: again, unseen }) =>
  `${salesOf(lost)}; ${count(open.settlements)} open, ${count(again.settlements)} paid again, ${count(unseen.settlements)} unclear`

const startedAt = ({ since }) => `since the start, ${since.slice(0, 16).replace('T', ' ')}`

function drawRefused({ per_reason: rows }) {
  const columns = [
    { head: 'Reason', of: ({ reason }) => element('code', {}, reason) },
    { head: 'Payments', of: (row) => count(row.count), isNumber: true },
    { head: 'Last', of: ({ last_at: at }) => timeOf(at) },
    { head: 'Meaning', of: ({ meaning }) => element('span', { class: 'long' }, meaning) },
  ]
  fill('overview-refused', tableOf('Refused payments by reason', columns, rows, 'No payment was refused.'))
}

/** Drawn into the figures, which may come before or after it. */
let week
function drawSales({ timestamp, revenue_per_day: days, products }) {
  const from = new Date(Date.parse(timestamp) - (WEEK_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  const ofWeek = days.filter(({ date }) => date >= from)
  const sum = (name) => ofWeek.reduce((all, day) => all + day[name], 0)
  week = () => [
    document.createTextNode(usd(sum('revenue_usdc'))),
    element('small', {}, `${salesOf({ settlements: sum('settlements') })}, today among them`),
  ]
  if (document.querySelector('[data-part="overview-week"]')) fill('overview-week', ...week())
  const columns = [
    { head: 'Product', of: ({ product_id: id }) => productOf(id) },
    { head: 'Sales', of: ({ settlements }) => count(settlements), isNumber: true },
    { head: 'Revenue, USDC', of: ({ revenue_usdc: revenue }) => usd(revenue), isNumber: true },
  ]
  const rows = products.toSorted((a, b) => b.revenue_usdc - a.revenue_usdc)
  fill('overview-products', tableOf('Revenue by product', columns, rows, 'Nothing was sold yet.'))
}

const salesOf = ({ settlements }) => `USDC, ${count(settlements)} ${settlements === 1 ? 'sale' : 'sales'}`

/** @param {any} bot @param {[string, any][]} more */
export function botFields(bot, more = []) {
  const { breaker, today } = bot
  return fieldsOf([
    ['State', element('span', {}, stateBadge(bot.state), bot.why ? ` ${bot.why}` : '')],
    ['Account in use', brokerWords(bot)],
    [
      'Circuit breaker',
      element(
        'span',
        {},
        breakerBadge(breaker),
        ` losses in a row: ${count(breaker.consecutive_losses)}${breaker.reason ? `; ${breaker.reason}` : ''}`,
      ),
    ],
    [
      'Today',
      element(
        'span',
        {},
        `${count(today.trades)} trades, open and closed; profit of closed ones `,
        profit(today.profit_usd),
        ' USD',
      ),
    ],
    ['At risk', `${usd(today.at_risk_usd)} USD, ${count(bot.open_orders)} open orders`],
    ['Compared with the venue', timeOf(bot.last_reconciled_at)],
    ...more,
  ])
}

/** What stands in the way of the bot, or is to be looked at. */
export const toNotice = ({ code, text }) => element('p', {}, element('code', {}, code), ` ${text}`)

function drawAccounts({ accounts }) {
  const columns = [
    { head: 'Account', of: (each) => `${brokerWords(each)}${each.in_use ? ', in use' : ''}` },
    {
      head: 'Cash, USD',
      of: ({ cash_usd: cash, fault }) => (cash === null ? fault : usd(cash)),
      isNumber: true,
    },
    { head: 'Positions', of: ({ positions }) => positions && count(positions.count), isNumber: true },
    { head: 'Cost, USD', of: ({ positions }) => positions && usd(positions.cost_usd), isNumber: true },
    { head: 'Worth, USD', of: ({ positions }) => positions && usd(positions.value_usd), isNumber: true },
    { head: 'Closed trades', of: ({ trades }) => count(trades), isNumber: true },
    { head: 'Profit, USD', of: ({ profit_usd: gain }) => profit(gain), isNumber: true },
    { head: 'Fees, USD', of: ({ fees_usd: fees }) => usd(fees), isNumber: true },
    { head: 'Bot won / lost', of: ({ bot }) => `${count(bot.wins)} / ${count(bot.losses)}`, isNumber: true },
  ]
  fill('overview-accounts', tableOf('Accounts', columns, accounts, 'There is no account.'))
}

function drawHealth({ checks }) {
  const columns = [
    { head: 'Check', of: ({ name }) => name },
    { head: 'State', of: ({ status }) => badge(status, CHECK_TONES[status]) },
    { head: 'Needed', of: ({ needed }) => (needed ? 'yes' : 'no') },
    { head: 'Latency', of: ({ latency_ms: ms }) => millis(ms), isNumber: true },
    { head: 'Data age', of: ({ age_ms: ms }) => age(ms), isNumber: true },
    { head: 'Detail', of: ({ detail }) => element('span', { class: 'long' }, detail) },
  ]
  const rows = checks.toSorted((a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status))
  fill('overview-health', tableOf('Health checks', columns, rows, 'There are no checks.'))
}
