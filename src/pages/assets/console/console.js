// The operator console: signs in, shows one section at a time, and asks for what it shows again and again.
import { secondOf } from '../formats.js'
import { access } from './access.js'
import { markAllowed, neededKey } from './act.js'
import { ask, forgetKey, isSignedIn, mayAsk, scopeOf, signIn } from './ask.js'
import { bot } from './bot.js'
import { config } from './config.js'
import { decisions } from './decisions.js'
import { hand } from './hand.js'
import { ledger } from './ledger.js'
import { overview } from './overview.js'
import { tasks } from './tasks.js'
import { trades } from './trades.js'
import { usage } from './usage.js'

/** @typedef {{ asks: string, params?: () => Record<string, unknown>, draw: (reply: any) => void, everyMs?: number }} Part */
/** @typedef {{ name: string, parts: Part[], wire?: () => void }} Section */

const REFRESH_MS = 15_000
/** @type {Section[]} */
const sections = [overview, ledger, usage, bot, hand, trades, decisions, config, tasks, access]

const byId = (id) => document.getElementById(id)
const form = /** @type {HTMLFormElement} */ (byId('sign-in'))
const field = /** @type {HTMLInputElement} */ (byId('key'))
const desk = byId('console')

/** @type {Section} */
let current = overview
let loading = new AbortController()
let isLoading = false
let isWanted = false
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

for (const { wire } of sections) wire?.()
form.hidden = false
field.focus()

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (form.ariaBusy === 'true') return
  form.ariaBusy = 'true'
  say('Asking…')
  try {
    await signIn(readKey())
    say('')
    // A field keeps what was typed into it: the key has one place only.
    field.value = ''
    enter()
  } catch (failure) {
    say(failure.message)
  } finally {
    form.ariaBusy = 'false'
  }
})

const say = (text) => {
  byId('sign-in-told').textContent = text
}

/** A header takes nothing else. */
function readKey() {
  const given = field.value.trim()
  if (!/^[\x21-\x7e]+$/.test(given))
    throw new Error('A key has no spaces and no letters beyond ASCII: copy it again.')
  return given
}

function enter() {
  form.hidden = true
  desk.hidden = false
  markAllowed()
  show()
}

// A new page is the one sure way to forget: key, figures and what was typed go together.
const signOut = () => {
  forgetKey()
  location.reload()
}
byId('sign-out').addEventListener('click', signOut)
addEventListener('pagehide', forgetKey)
// A page that the browser kept for the back button has no key any more.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())

// The key was revoked while it was in use: another one opens the same desk, with what was typed.
document.addEventListener('refused', (event) => {
  if (form.hidden === false) return
  forgetKey()
  clearTimeout(timer)
  desk.hidden = true
  form.hidden = false
  say(`${/** @type {CustomEvent} */ (event).detail} What you typed in the console is kept.`)
  field.focus()
})

addEventListener('hashchange', () => {
  if (!isSignedIn()) return
  show()
  byId(`${current.name}-title`).focus()
})
document.addEventListener('changed', refresh)
document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : refresh()))

/** The section that the address names; any other anchor changes nothing. */
function show() {
  const named = location.hash.slice(1)
  current = sections.find(({ name }) => name === named) ?? current
  for (const { name } of sections) {
    byId(name).hidden = name !== current.name
    const link = desk.querySelector(`nav a[href="#${name}"]`)
    if (name === current.name) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  loading.abort()
  refresh()
}

/** One at a time: who asks meanwhile is served by the next. */
async function refresh() {
  isWanted = true
  if (isLoading) return
  isLoading = true
  clearTimeout(timer)
  while (isWanted && isSignedIn()) {
    isWanted = false
    loading = new AbortController()
    await load(current, loading.signal)
  }
  isLoading = false
  if (isSignedIn() && !document.hidden) timer = setTimeout(refresh, REFRESH_MS)
}

/** @param {Section} section @param {AbortSignal} signal */
async function load({ name, parts }, signal) {
  const place = byId(name)
  const body = /** @type {HTMLElement} */ (place.querySelector('[data-body]'))
  body.hidden = parts.some(isBarred) && !parts.some(isOwn)
  const due = parts.filter((part) => mayAsk(part.asks) && isDue(part))
  const barred = new Set(parts.filter(isBarred).map(({ asks }) => neededKey(scopeOf(asks))))
  const failures = await Promise.all(due.map((part) => loadPart(part, signal)))
  if (signal.aborted) return
  const troubles = [...barred, ...new Set(failures.filter(Boolean))].join(' ')
  const trouble = place.querySelector('.trouble')
  // Written only when it changes, since it is read aloud.
  if (trouble.textContent !== troubles) trouble.textContent = troubles
  if (failures.some((failure) => failure === undefined))
    place.querySelector('[data-as-of]').textContent =
      `As of ${secondOf(Date.now() / 1000)}, renewed every ${REFRESH_MS / 1000} s.`
}

/** When what is not asked for every time was asked for. @type {Map<Part, number>} */
const askedAtMs = new Map()
const isDue = (part) => part.everyMs === undefined || Date.now() - (askedAtMs.get(part) ?? 0) >= part.everyMs

const isBarred = ({ asks }) => !mayAsk(asks)
/** What everybody may read does not make a section worth showing. */
const isOwn = ({ asks }) => scopeOf(asks) !== undefined && mayAsk(asks)

/** @param {Part} part @param {AbortSignal} signal @returns {Promise<string | undefined>} what went wrong */
async function loadPart(part, signal) {
  try {
    const { body } = await ask(part.asks, part.params?.(), signal)
    if (signal.aborted) return undefined
    part.draw(body)
    askedAtMs.set(part, Date.now())
    return undefined
  } catch (failure) {
    return failure.message
  }
}
