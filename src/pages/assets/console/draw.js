// Draws replies.
import { button, element } from '../element.js'
import { WINDOW_S } from '../facts.js'
import { amount, count, dayAndMinuteOf, NOTHING, signed, spanOf } from '../formats.js'

/** @typedef {import('../element.js').Child} Cell */
/** @typedef {{ head: string, of: (row: any) => Cell | Cell[], isNumber?: boolean, isName?: boolean }} Column `isName`: what a row is called by; the first one where none is */

const PAGE_ROWS = 15
/** @type {Record<string, string>} */
const products = JSON.parse(document.getElementById('products').textContent)

/** A product by its address; by its id where it is one of an earlier release. @param {string} id */
export const productOf = (id) => element('code', {}, Object.hasOwn(products, id) ? products[id] : id)

/** For what is free for everybody: such calls count as calls of the service. */
export const MINUTE_MS = 60_000

/** Puts something in its place; a button there that was focused is focused again. */
export function fill(name, ...nodes) {
  const place = document.querySelector(`[data-part="${name}"]`)
  const focused = place.contains(document.activeElement)
    ? /** @type {HTMLElement} */ (document.activeElement).dataset.key
    : undefined
  const scrolled = place.querySelector('.scroll')?.scrollLeft ?? 0
  place.replaceChildren(...nodes.filter(Boolean))
  const scroll = place.querySelector('.scroll')
  if (scroll) scroll.scrollLeft = scrolled
  if (focused === undefined) return
  const again = place.querySelector(`[data-key="${CSS.escape(focused)}"]`)
  const next = /** @type {HTMLElement | null} */ (again ?? place.closest('section').querySelector('h2'))
  next.focus()
}

/** @param {string} label @param {Column[]} columns @param {any[]} rows @param {string} empty */
export function tableOf(label, columns, rows, empty) {
  if (rows.length === 0) return element('p', { class: 'small' }, empty)
  const head = columns.map(({ head, isNumber }) =>
    element('th', { scope: 'col', ...(isNumber && { class: 'number' }) }, head),
  )
  const name = columns.find(({ isName }) => isName) ?? columns[0]
  const body = rows.map((row) =>
    element('tr', {}, ...columns.map((column) => cellOf(column, row, column === name))),
  )
  const table = element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...body),
  )
  // It may be wider than the window: who has no mouse scrolls it when it is focused.
  return element('div', { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': label }, table)
}

/** @param {Column} column @param {any} row @param {boolean} isName */
function cellOf({ of, isNumber }, row, isName) {
  const cell = of(row)
  return element(
    isName ? 'th' : 'td',
    { ...(isName && { scope: 'row' }), ...(isNumber && { class: 'number' }) },
    ...(Array.isArray(cell) ? cell : [cell ?? NOTHING]),
  )
}

/** @type {Map<string, number>} */
const pages = new Map()

/** Rows that are all here, a page at a time. */
export function drawPaged(name, label, columns, rows, empty) {
  const last = Math.max(0, Math.ceil(rows.length / PAGE_ROWS) - 1)
  const page = Math.min(pages.get(name) ?? 0, last)
  const turn = (to) => {
    pages.set(name, to)
    drawPaged(name, label, columns, rows, empty)
  }
  const shown = rows.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS)
  fill(name, tableOf(label, columns, shown, empty), pagerOf(page, last, turn))
}

/** @param {number} page @param {number} last @param {(to: number) => void} turn */
export function pagerOf(page, last, turn) {
  if (last === 0) return undefined
  // Not `disabled`: the focus would be lost at the last page.
  const turner = (words, to, isOff) =>
    button(words, () => isOff || turn(to), {
      ...{ class: 'quiet', 'data-key': words },
      ...(isOff && { 'aria-disabled': 'true' }),
    })
  return element(
    'p',
    { class: 'actions' },
    turner('Newer', page - 1, page === 0),
    element('span', { class: 'small' }, `Page ${page + 1} of ${last + 1}`),
    turner('Older', page + 1, page === last),
  )
}

/** @param {[string, Cell, (Cell)?][]} facts name, value and what is said below it */
export const statsOf = (facts) =>
  element(
    'dl',
    { class: 'stats' },
    ...facts.map(([name, value, below]) =>
      element(
        'div',
        {},
        element('dt', {}, name),
        element('dd', {}, value, below === undefined ? undefined : element('small', {}, below)),
      ),
    ),
  )

/** @param {[string, Cell][]} facts */
export const fieldsOf = (facts) =>
  element(
    'dl',
    { class: 'fields' },
    ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value ?? NOTHING)]),
  )

const SIGNS = { good: '✓', warn: '!', bad: '✕', idle: '·' }
/** @param {string} word @param {'good' | 'warn' | 'bad' | 'idle'} tone */
export const badge = (word, tone) =>
  element(
    'span',
    { class: 'badge', 'data-tone': tone },
    element('span', { 'aria-hidden': 'true' }, SIGNS[tone]),
    word,
  )

/** @template T @param {(value: any) => T} toCell what is not known has a dash */
const ifKnown = (toCell) => (value) => (value === null || value === undefined ? NOTHING : toCell(value))

export const usd = ifKnown(amount)
export const profit = ifKnown((value) => {
  const tone = value > 0 ? 'good' : value < 0 ? 'bad' : ''
  return element('span', { class: tone }, signed(value, amount))
})
export const share = ifKnown((value) => value.toFixed(3))
export const millis = ifKnown((ms) => `${count(Math.round(ms * 10) / 10)} ms`)
export const age = ifKnown((ms) => `${(ms / 1000).toFixed(1)} s`)

/** All times are UTC, which the first line of the console says. */
export const timeOf = ifKnown((iso) => element('time', { datetime: iso }, iso.slice(0, 19).replace('T', ' ')))
export const dayOf = (date) => element('time', { datetime: date }, date)
/** A window by its start, in epoch seconds: it opens at a whole minute. */
export const windowOf = (startS) =>
  element('time', { datetime: new Date(startS * 1000).toISOString() }, dayAndMinuteOf(startS))
export const windowText = (startS) => spanOf(startS, startS + WINDOW_S)

/** Blue and orange stand for up and down on every page, and so do the arrows. */
export const direction = ifKnown((side) =>
  element('span', { class: side === 'UP' ? 'up' : 'down' }, side === 'UP' ? '▲ UP' : '▼ DOWN'),
)
