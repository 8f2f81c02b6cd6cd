// Shows what a call brought: the JSON, a way to take it along, and how it was paid.
import { addCopyButton } from '../base.js'
import { element } from '../element.js'

// More than this makes browsers slow; all of it can be copied and saved.
const SHOWN_LIMIT = 200_000

/**
 * Replaces what the box shows, and leads the keyboard there.
 * @param {HTMLElement} box
 * @param {{ text: string, title?: string, settlement?: import('./purchase.js').Settlement, receipts?: string, explorer?: string }} reply
 *   `receipts` is the path of `payments.receipt`, `explorer` where a transaction can be looked up
 */
export function showReply(box, { text, title: words = 'Your reply', settlement = {}, receipts, explorer }) {
  const pretty = formatted(text)
  const title = element('h3', { tabindex: '-1' }, words)
  const code = element('code', {}, pretty.slice(0, SHOWN_LIMIT))
  const block = element('pre', { tabindex: '0', role: 'region', 'aria-label': words }, code)
  box.replaceChildren(
    title,
    block,
    ...notesOf(pretty),
    saveLink(pretty),
    ...paidBy(settlement, receipts, explorer),
  )
  addCopyButton(block, () => pretty)
  box.hidden = false
  title.focus()
}

/** What only programs want to see. @param {HTMLElement} box */
export function showFolded(box, words, text) {
  const code = element('code', {}, formatted(text).slice(0, SHOWN_LIMIT))
  const block = element('pre', { tabindex: '0', role: 'region', 'aria-label': words }, code)
  box.replaceChildren(element('details', {}, element('summary', {}, words), block))
  box.hidden = false
}

function formatted(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const notesOf = ({ length }) =>
  length > SHOWN_LIMIT
    ? [
        element(
          'p',
          {},
          `Shown are the first ${SHOWN_LIMIT} of ${length} characters. Copy and save take all.`,
        ),
      ]
    : []

let saved = ''

// One file at a time is held; the one before it is given back.
function saveLink(pretty) {
  URL.revokeObjectURL(saved)
  saved = URL.createObjectURL(new Blob([pretty], { type: 'application/json' }))
  return element('p', {}, element('a', { href: saved, download: 'reply.json' }, 'Save as a file'))
}

/** @param {import('./purchase.js').Settlement} settlement */
function paidBy({ transaction, receiptId }, receipts, explorer) {
  if (typeof transaction !== 'string') return []
  const hash = element('code', {}, transaction)
  const shown = explorer ? element('a', { href: explorer + encodeURIComponent(transaction) }, hash) : hash
  const line = element('p', {}, 'Settled in transaction ', shown, '.')
  if (receiptId && receipts) {
    const href = receipts.replace('{id}', encodeURIComponent(receiptId))
    line.append(' ', element('a', { href }, 'Signed receipt'))
  }
  return [line]
}
