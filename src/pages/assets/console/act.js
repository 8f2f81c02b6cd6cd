// What the operator does. Whatever spends, deletes or stops something is told in a dialog first, and done once however
// often its button is pressed.
import { askVisitor } from '../ask-visitor.js'
import { ask, isSimulated, mayAsk, modeNow, scopeOf } from './ask.js'

/** @typedef {{ title: string, lines: string[], yes: string }} Question */
/** @typedef {{ id: string, params: () => Record<string, unknown>, question?: (params: any) => Question | undefined, told: (body: any) => string, toneOf?: (body: any) => 'good' | 'warn', onDone?: (body: any) => void }} Deed */

const told = document.getElementById('told')
told.querySelector('button').addEventListener('click', () => {
  tell('')
})

/** Resolves to whether the operator pressed the second time. @param {Question} question */
const confirmed = async ({ title, lines, yes }) =>
  (await askVisitor({ title, lines, choices: [{ id: 'yes', words: yes, kind: 'danger' }] })) === 'yes'

function tell(text, tone = '') {
  // The region stays in the page: what appears in one that was not there is not read aloud.
  told.querySelector('p').textContent = text
  told.querySelector('button').hidden = text === ''
  told.className = text === '' ? 'told' : 'told card'
  told.dataset.tone = tone
}

/** @param {HTMLElement} trigger what was pressed: it does nothing more until this is over @param {Deed} deed */
export async function act(trigger, { id, params, question, told: toldOf, toneOf, onDone }) {
  if (trigger.ariaBusy === 'true') return
  trigger.ariaBusy = 'true'
  try {
    const given = params()
    const asked = question?.(given)
    if (asked && !(await confirmed(asked))) return
    tell('Working…')
    const { body, requestId } = await ask(id, given)
    onDone?.(body)
    tell(`${toldOf(body)} Request id ${requestId}.`, toneOf?.(body) ?? 'good')
    changed()
  } catch (failure) {
    tell(failure.requestId ? `${failure.message} Request id ${failure.requestId}.` : failure.message, 'bad')
    changed()
  } finally {
    trigger.ariaBusy = 'false'
  }
}

/** What is shown is asked for again. */
export const changed = () => document.dispatchEvent(new Event('changed'))

/** A button whose question stands in the page. */
export function onPress(id, toldOf) {
  for (const button of document.querySelectorAll(`button[data-act="${id}"]`)) {
    if (!(button instanceof HTMLButtonElement)) continue
    const title = button.textContent.replace('…', '')
    const question = () => ({ title: `${title}?`, lines: [button.dataset.asks, serviceLine()], yes: title })
    const params = () => JSON.parse(button.dataset.params ?? '{}')
    button.addEventListener('click', () => act(button, { id, params, question, told: toldOf }))
  }
}

/** @param {string} id @param {Partial<Deed> & Pick<Deed, 'told'>} deed; the params are what was typed unless it says otherwise */
export function onSubmit(id, deed) {
  const form = formOf(id)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    act(form, { id, params: () => valuesOf(form), ...deed })
  })
}

/** @returns {HTMLFormElement} */
export const formOf = (id) => document.querySelector(`form[data-act="${id}"]`)

/** Fields by name; what is empty is left out, and a name with a dot is a part of an object. */
export function valuesOf(form) {
  /** @type {Record<string, any>} */
  const values = {}
  for (const field of form.elements) {
    if (!field.name) continue
    const value = typedIn(field)
    if (value === undefined) continue
    const [name, inner] = field.name.split('.')
    values[name] = inner === undefined ? value : { ...values[name], [inner]: value }
  }
  return values
}

export function typedIn(field) {
  if (field.type === 'checkbox') return field.checked
  if (field.type === 'number') return Number.isNaN(field.valueAsNumber) ? undefined : field.valueAsNumber
  return field.value.trim() === '' ? undefined : field.value.trim()
}

/** What the key may not do is switched off, and says which key can. */
export function markAllowed() {
  for (const trigger of document.querySelectorAll('[data-act]')) {
    const id = trigger.getAttribute('data-act')
    const title = mayAsk(id) ? '' : neededKey(scopeOf(id))
    const buttons = trigger instanceof HTMLFormElement ? trigger.querySelectorAll('button') : [trigger]
    for (const button of buttons) Object.assign(button, { disabled: title !== '', title })
  }
}

export const neededKey = (scope) =>
  `This needs a key with the scope ${scope}: ./tollbook keys make --label <name> --scope ${scope}`

/** Whose money a broker moves. */
export function moneyOf(broker) {
  if (broker === 'paper') return 'simulated money of the paper account'
  return isSimulated()
    ? 'simulated money of the account at the simulated venue'
    : 'REAL money of the account at Polymarket'
}

const serviceLine = () => `The service runs in ${modeNow()} mode.`
