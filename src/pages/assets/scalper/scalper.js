// The live dashboard: follows the stream, keeps figures, tables and charts up to date, and says whether it is connected.
import { element } from '../element.js'
import { DELAYED_S, PRICE_S } from '../facts.js'
import { secondOf } from '../formats.js'
import { createPlots } from './plots.js'
import { follow } from './stream.js'
import { FIGURES, TABLES } from './words.js'

/** @type {import('./words.js').Shown | undefined} */
let shown
const plots = createPlots()
const followed = document.querySelector('[data-followed]')
const status = document.querySelector('[data-connection]')

follow({
  address: document.querySelector('a[data-events]').getAttribute('href'),
  say(words, tone) {
    const isOld = tone !== 'good'
    const text =
      isOld && shown ? `${words} Last seen ${secondOf(Date.parse(shown.timestamp) / 1000)} UTC` : words
    // Said once: whoever listens to the page is not told every second.
    if (status.textContent === text) return
    status.textContent = text
    status.setAttribute('data-tone', tone)
    followed.classList.toggle('old', isOld && shown !== undefined)
  },
  take(event) {
    if (!event.snapshot && !shown) return
    shown = event.snapshot ? event : merge(shown, event)
    showFigures(shown)
    for (const name of Object.keys(TABLES)) if (isDue(name, event)) showTable(name, shown)
    plots.draw(shown, event)
  },
})

function merge(before, change) {
  return {
    ...before,
    ...change,
    price: join(before.price, change.price, PRICE_S),
    delayed: join(before.delayed, change.delayed, DELAYED_S),
    equity: join(before.equity, change.equity, Number.POSITIVE_INFINITY),
  }
}

/** By second: a point replaces the one of its second, and old ones go. */
function join(points, more, keptS) {
  if (more.length === 0) return points
  const bySecond = new Map(points.map((point) => [point[0], point]))
  for (const point of more) bySecond.set(point[0], point)
  const sorted = [...bySecond.values()].sort((a, b) => a[0] - b[0])
  const oldest = sorted.at(-1)[0] - keptS
  return sorted.filter(([second]) => second > oldest)
}

function showFigures(now) {
  for (const [name, { of }] of Object.entries(FIGURES)) {
    const place = document.querySelector(`[data-figure="${name}"] dd`)
    const { text, small, tone } = of(now)
    place.firstElementChild.textContent = text
    place.firstElementChild.setAttribute('data-tone', tone ?? '')
    place.lastElementChild.textContent = small
  }
}

/** Which part of an event a table is made of. */
const PARTS = {
  price: 'price',
  odds: 'delayed',
  imbalance: 'delayed',
  equity: 'equity',
  signals: 'signals',
  trades: 'bot',
}

/** A table that is folded away is made when it is opened. */
function isDue(name, event) {
  const details = document.querySelector(`[data-table="${name}"]`).closest('details')
  if (details && !details.open) return false
  return event.snapshot || (event[PARTS[name]]?.length ?? (PARTS[name] in event ? 1 : 0)) > 0
}
for (const details of document.querySelectorAll('details'))
  details.addEventListener('toggle', () => {
    const name = details.querySelector('[data-table]').getAttribute('data-table')
    if (details.open && shown) showTable(name, shown)
  })

function showTable(name, now) {
  const rows = TABLES[name].rowsOf(now)
  const region = document.querySelector(`[data-table="${name}"]`)
  region.toggleAttribute('hidden', rows.length === 0)
  document.querySelector(`[data-empty="${name}"]`).toggleAttribute('hidden', rows.length > 0)
  region.querySelector('tbody').replaceChildren(
    ...rows.map((cells) => {
      const [first, ...rest] = cells
      const heading = element('th', { scope: 'row' }, first)
      return element('tr', {}, heading, ...rest.map((cell) => element('td', {}, cell)))
    }),
  )
}
