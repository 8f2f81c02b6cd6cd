// A question that stops everything else on the page until it is answered.
import { button, element } from './element.js'

/** @typedef {{ title: string, lines?: string[], choices: { id: string, words: string, kind?: string }[] }} Question */

/**
 * Resolves to the id of the choice, or undefined where the visitor chose none. The way out stands first and has the
 * focus: a key that is held down chooses nothing.
 * @param {Question} question
 * @returns {Promise<string | undefined>}
 */
export function askVisitor({ title, lines = [], choices }) {
  const dialog = element(
    'dialog',
    { 'aria-labelledby': 'question' },
    element('h2', { id: 'question' }, title),
    ...lines.map((line) => element('p', {}, line)),
    element(
      'p',
      { class: 'actions' },
      button('Cancel', () => dialog.close(), { class: 'quiet', autofocus: '' }),
      ...choices.map(({ id, words, kind = '' }) => button(words, () => dialog.close(id), { class: kind })),
    ),
  )
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue || undefined)
    })
  })
}
