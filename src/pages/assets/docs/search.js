// Searches the docs. The index is small: it is fetched when the visitor first turns to the box, and searched here.
import { element } from '../element.js'
import MiniSearch from './minisearch.js'

const SHOWN = 12
const OPERATOR_WEIGHT = 0.1
const SHORT_CHARS = 5
/**
 * Where nothing has all of the words: one of two letters alone says nothing.
 * @type {import('minisearch').SearchOptions}
 */
const SOME = {
  combineWith: 'OR',
  processTerm: (term) => (term.length > 2 ? term.toLowerCase() : null),
}
// Everything has them, or nothing: they find nothing.
const SMALL_WORDS = new Set('a an and are do does for how i in is it of on or the to what with'.split(' '))
const box = document.querySelector('.search')
const input = /** @type {HTMLInputElement} */ (document.getElementById('search'))
const list = document.getElementById('found')
const count = document.getElementById('found-count')

/** @type {Promise<MiniSearch> | undefined} */
let loading

async function load() {
  const reply = await fetch(box.getAttribute('data-index'), { headers: { Accept: 'application/json' } })
  const { entries } = await reply.json()
  const index = new MiniSearch({
    fields: ['title', 'summary', 'words', 'fields'],
    storeFields: ['title', 'path', 'summary', 'cost', 'operator'],
    // Addresses are found by each of their parts.
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean),
    processTerm: (term) => (SMALL_WORDS.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: {
      prefix: true,
      // A slip in a short word makes another word of it.
      fuzzy: (term) => (term.length > SHORT_CHARS ? 0.15 : false),
      combineWith: 'AND',
      boost: { title: 4, summary: 2, fields: 0.3 },
      // What everybody can call stands before what only the operator can.
      boostDocument: (_id, _term, { operator }) => (operator ? OPERATOR_WEIGHT : 1),
    },
  })
  index.addAll(entries.map((entry, id) => ({ id, ...entry })))
  return index
}

function ready() {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function search() {
  const asked = input.value.trim()
  // Back leads to what was found.
  history.replaceState({ ...history.state, asked }, '')
  if (asked === '') return show([], '')
  try {
    const index = await ready()
    // The visitor has typed on meanwhile.
    if (asked !== input.value.trim()) return
    const all = index.search(asked)
    const found = all.length > 0 ? all : index.search(asked, SOME)
    show(found.slice(0, SHOWN), wordsOf(asked, found.length, all.length > 0))
  } catch {
    show([], 'The index could not be loaded. Try again.')
  }
}

function wordsOf(asked, found, hasAll) {
  if (found === 0) return `Nothing has the words “${asked}”. Try fewer words, or use the list below.`
  return hasAll ? `${found} found` : `Nothing has all of these words, ${found} have some of them`
}

function show(found, words) {
  count.textContent = words
  list.replaceChildren(...found.map(toItem))
}

function toItem({ title, path, summary, cost }) {
  return element('li', {}, element('a', { href: path }, title), ` ${summary}${cost ? `, ${cost}` : ''}`)
}

/** Enter opens the first, arrows go through them. @param {KeyboardEvent} event */
function move(event) {
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement))
  if (event.key === 'Enter' && at < 0) return links[0]?.click()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || links.length === 0) return
  event.preventDefault()
  const next = at + step
  if (next < 0) input.focus()
  else links[Math.min(next, links.length - 1)].focus()
}

if (box) {
  box.classList.add('ready')
  box.addEventListener('keydown', move)
  if (input.value === '') input.value = history.state?.asked ?? ''
  if (input.value !== '') search()
  input.addEventListener('focus', () => ready().catch(() => {}), { once: true })
  input.addEventListener('input', search)
  // As other docs do: a slash goes to the search.
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    input.focus()
  })
}
