// Lets a visitor check entries of the record: each window of the list gets a button, and any entry can be pasted.
import { button, element } from '../element.js'
import { parseObject, problemOf, sentence } from '../problem.js'
import { verifyRecord } from './verify-record.js'

const FETCH_LIMIT_MS = 30_000
const SIGNS = new Map([
  [true, ['✓', 'holds', 'good']],
  [false, ['✗', 'fails', 'bad']],
  [undefined, ['?', 'not checked', 'warn']],
])
const TONES = { true: 'good', untrue: 'bad', incomplete: 'warn', unreadable: 'warn' }

const form = /** @type {HTMLFormElement} */ (document.getElementById('verify'))
const box = /** @type {HTMLTextAreaElement} */ (document.getElementById('entry'))
const verdict = document.getElementById('verdict')
const checking = document.getElementById('checking')
const list = document.getElementById('checks')
const keys = JSON.parse(document.getElementById('keys').textContent)

form.hidden = false
document.getElementById('plain').hidden = true
form.addEventListener('submit', (event) => {
  event.preventDefault()
  run()
})

for (const line of document.querySelectorAll('#windows tr')) {
  const link = line.querySelector('a')
  // First: at the end it would be off a telephone's screen.
  line.prepend(link ? element('td', {}, checkButton(link)) : element('th', { scope: 'col' }, 'Proof'))
}

function checkButton(link) {
  const attributes = { class: 'quiet compact', 'aria-label': `Check ${link.textContent}` }
  return button('Check', () => load(link.getAttribute('href')), attributes)
}

async function load(address) {
  begin('Fetching the entry…')
  try {
    const reply = await fetch(address, {
      headers: { Accept: 'application/json' },
      cache: 'no-store',
      signal: AbortSignal.timeout(FETCH_LIMIT_MS),
    })
    const body = parseObject(await reply.text())
    if (!reply.ok) throw new Error(problemOf(reply.status, body))
    box.value = JSON.stringify(body, null, 2)
  } catch (error) {
    return end(`The entry could not be fetched. ${sentence(error.message)} Try again.`, 'warn')
  }
  await run()
}

async function run() {
  begin('Checking…')
  const { verdict: name, words, checks } = await verifyRecord(box.value, keys)
  list.replaceChildren(...checks.map(lineOf))
  list.hidden = checks.length === 0
  end(words, TONES[name])
}

/** Everything from an entry goes through textContent. */
function lineOf({ name, isTrue, words }) {
  const [sign, state, tone] = SIGNS.get(isTrue)
  const mark = element('b', { 'data-tone': tone }, `${sign} ${name}, ${state}: `)
  return element('li', {}, mark, words)
}

/** @param {string} words */
function begin(words) {
  list.hidden = true
  verdict.textContent = ''
  checking.textContent = words
}

/** The focus goes to the verdict, which reads it aloud: whoever pressed a button of the list is far above. */
function end(words, tone) {
  checking.textContent = ''
  verdict.textContent = words
  verdict.dataset.tone = tone
  verdict.focus()
}
