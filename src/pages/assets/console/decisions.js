import { element } from '../element.js'
import { NOTHING } from '../formats.js'
import { badge, direction, drawPaged, fill, share, tableOf, timeOf, windowOf } from './draw.js'

export const decisions = { name: 'decisions', parts: [{ asks: 'admin.signals', draw }] }

const SIGNALS = [
  { head: 'Coin', of: ({ coin }) => coin },
  { head: 'Side', of: (row) => ('reason' in row ? row.reason : direction(row.direction)) },
  { head: 'Confidence', of: ({ confidence }) => share(confidence), isNumber: true },
  { head: 'Probability of UP', of: (row) => share(row.probability_up), isNumber: true },
  { head: 'Abstains', of: ({ abstain }) => (abstain === undefined ? NOTHING : abstain ? 'yes' : 'no') },
  { head: 'Regime', of: ({ regime }) => regime },
  { head: 'At', of: ({ timestamp }) => timeOf(timestamp) },
]

const DECISIONS = [
  { head: 'Window', of: (row) => windowOf(row.window_start) },
  { head: 'Coin', of: ({ coin }) => coin },
  { head: 'Did', of: ({ action }) => (action === 'buy' ? badge('buy', 'good') : badge('none', 'idle')) },
  { head: 'Reason', of: ({ reason }) => element('code', {}, reason) },
  {
    head: 'Side',
    of: ({ facts }) => (['UP', 'DOWN'].includes(facts.outcome) ? direction(facts.outcome) : NOTHING),
  },
  { head: 'Confidence', of: ({ facts }) => numberOf(facts.confidence), isNumber: true },
  { head: 'Ask', of: ({ facts }) => numberOf(facts.ask), isNumber: true },
  { head: 'Edge', of: ({ facts }) => numberOf(facts.edge), isNumber: true },
  { head: 'Account', of: ({ broker }) => broker },
  { head: 'Decided', of: ({ at }) => element('time', { datetime: at }, at.slice(11, 19)) },
  { head: 'All numbers', of: factsOf },
]

const LOGGED = [
  { head: 'Window', of: (row) => windowOf(row.window_start) },
  { head: 'Coin', of: ({ coin }) => coin },
  { head: 'Side', of: ({ side }) => direction(side) },
  { head: 'Confidence', of: ({ confidence }) => share(confidence), isNumber: true },
  { head: 'Price', of: ({ price }) => price, isNumber: true },
  { head: 'Source', of: ({ source }) => source },
  { head: 'By', of: ({ by }) => by },
  { head: 'At', of: ({ at }) => timeOf(at) },
]

const numberOf = (value) => (typeof value === 'number' ? share(value) : NOTHING)

/** Which are open is kept over a refresh. */
const opened = new Set()
function factsOf({ coin, window_start: startS, attempt, facts }) {
  const key = `${coin}-${startS}-${attempt}`
  const list = Object.entries(facts).map(([name, value]) => `${name}: ${textOf(value)}`)
  const summary = element('summary', { 'data-key': key }, `${list.length}`)
  const details = /** @type {HTMLDetailsElement} */ (
    element('details', {}, summary, element('code', { class: 'long' }, list.join(', ')))
  )
  summary.setAttribute('aria-label', `All ${list.length} numbers of ${coin}`)
  details.open = opened.has(key)
  details.addEventListener('toggle', () => (details.open ? opened.add(key) : opened.delete(key)))
  return details
}

const textOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

function draw({ signals, missing, decisions: rows, logged }) {
  fill('decisions-signals', tableOf('Signals', SIGNALS, [...signals, ...missing], 'There are no coins.'))
  drawPaged(
    'decisions-list',
    'Decisions',
    DECISIONS,
    rows,
    'No decision yet: each window leaves one for every coin.',
  )
  drawPaged('decisions-logged', 'Logged signals', LOGGED, logged, 'No signal of another model was logged.')
}
