import { element } from '../element.js'
import { changed } from './act.js'
import { direction, fill, pagerOf, profit, share, tableOf, timeOf, usd, windowOf } from './draw.js'

const PAGE_ROWS = 25
const onlyReal = /** @type {HTMLInputElement} */ (document.getElementById('trades-real'))
let page = 0

export const trades = {
  name: 'trades',
  parts: [
    {
      asks: 'admin.trading_history',
      params: () => ({ limit: PAGE_ROWS, offset: page * PAGE_ROWS, real_only: onlyReal.checked }),
      draw,
    },
  ],
  wire() {
    onlyReal.addEventListener('change', () => turn(0))
  },
}

function turn(to) {
  page = to
  changed()
}

const COLUMNS = [
  { head: 'Window', of: (row) => windowOf(row.window_start) },
  { head: 'Coin', of: ({ coin }) => coin },
  { head: 'Bought', of: (row) => direction(row.direction) },
  { head: 'Came', of: ({ outcome }) => direction(outcome) },
  { head: 'Profit, USD', of: (row) => profit(row.profit_usd), isNumber: true },
  { head: 'Cost, USD', of: (row) => usd(row.cost_usd), isNumber: true },
  { head: 'Fees, USD', of: (row) => usd(row.fees_usd), isNumber: true },
  { head: 'Shares', of: ({ shares }) => shares, isNumber: true },
  { head: 'Made by', of: ({ origin }) => origin },
  { head: 'Confidence', of: ({ confidence }) => share(confidence), isNumber: true },
  { head: 'Account', of: ({ broker }) => broker },
  { head: 'Resolved', of: (row) => timeOf(row.resolved_at) },
]

function draw({ total, trades: rows }) {
  const last = Math.max(0, Math.ceil(total / PAGE_ROWS) - 1)
  if (page > last) return turn(last)
  fill(
    'trades-list',
    element('p', { class: 'small' }, `${total} trades`),
    tableOf(
      'Trades',
      COLUMNS,
      rows,
      'No trade has resolved yet. A window takes five minutes, and then its outcome.',
    ),
    pagerOf(page, last, turn),
  )
}
