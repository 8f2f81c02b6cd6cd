import { element } from '../element.js'
import { formOf, moneyOf, onSubmit, typedIn } from './act.js'
import { drawPaged, fieldsOf, fill, timeOf } from './draw.js'

const CHANGE = 'admin.change_trading_config'
const form = formOf(CHANGE)
const fields = /** @type {HTMLInputElement[]} */ ([...form.elements]).filter(({ name }) => name)

/** What is in force, flat: `contrarian.enabled` is one name. */
let current = {}
/** Of what is in force: another operator may change it while this one types. */
let version

export const config = {
  name: 'config',
  parts: [{ asks: 'admin.trading_config', draw }],
  wire() {
    onSubmit(CHANGE, {
      params: toChange,
      question,
      told: ({ version, by, changed_at: at }) =>
        `Version ${version} is in force since ${at.slice(11, 19)} UTC, made by ${by}.`,
      onDone: take,
    })
    form.addEventListener('input', showPending)
    form.querySelector('[data-undo]').addEventListener('click', () => {
      for (const field of fields) put(field, current[field.name])
      showPending()
    })
  },
}

function draw(reply) {
  take(reply)
  fill(
    'config-now',
    fieldsOf([
      ['Version', reply.version],
      ['Made by', reply.by],
      ['At', timeOf(reply.changed_at)],
    ]),
  )
  const columns = [
    { head: 'Version', of: ({ version }) => version, isNumber: true },
    { head: 'At', of: (row) => timeOf(row.changed_at) },
    { head: 'By', of: ({ by }) => by },
    { head: 'What changed', of: ({ changes }) => changes.map((line) => element('div', {}, line)) },
  ]
  drawPaged(
    'config-history',
    'History',
    columns,
    toHistory(reply.history),
    'It was never changed: these are the defaults.',
  )
}

/** Fields that were not touched follow what is in force; what was typed stays. */
function take(reply) {
  const next = flat(reply.config)
  for (const field of fields) if (!isTyped(field)) put(field, next[field.name])
  current = next
  version = reply.version
  showPending()
}

const isTyped = (field) => {
  const value = typedIn(field)
  return field.name in current && value !== undefined && value !== current[field.name]
}

function put(field, value) {
  if (value === undefined) return
  if (field.type === 'checkbox') field.checked = value
  else field.value = String(value)
}

const changesNow = () =>
  fields.filter(isTyped).map((field) => ({ name: field.name, from: current[field.name], to: typedIn(field) }))

function toChange() {
  /** @type {Record<string, any>} */
  const change = {}
  for (const { name, to } of changesNow()) {
    const [outer, inner] = name.split('.')
    change[outer] = inner === undefined ? to : { ...change[outer], [inner]: to }
  }
  if (Object.keys(change).length === 0)
    throw new Error('Nothing differs from what is in force: change a field first.')
  return { ...change, version }
}

function question() {
  const changes = changesNow()
  const isLeavingPaper = changes.some(({ name, to }) => name === 'sim_mode' && to === false)
  return {
    title: 'Change the configuration of the bot?',
    lines: [
      ...changes.map(lineOf),
      ...(isLeavingPaper ? [`Orders of the bot are then placed with ${moneyOf('polymarket')}.`] : []),
      'It counts from the next look at a window on.',
    ],
    yes: 'Change it',
  }
}

const lineOf = ({ name, from, to }) => `${name}: ${from} → ${to}`

function showPending() {
  const changes = changesNow()
  form.querySelector('[data-pending]').textContent =
    changes.length === 0 ? '' : `Not sent yet: ${changes.map(lineOf).join('; ')}`
}

/** Each version with what it changed of the one before it; the oldest that is known has nothing to compare with. */
function toHistory(versions) {
  return versions.map((version, at) => {
    const [now, before] = [flat(version.config), versions[at + 1] && flat(versions[at + 1].config)]
    if (!before)
      return {
        ...version,
        changes: [version.version === 0 ? 'the defaults' : 'older versions are not shown'],
      }
    const names = Object.keys(now).filter((name) => now[name] !== before[name])
    const changes = names.map((name) => lineOf({ name, from: before[name], to: now[name] }))
    return { ...version, changes: changes.length === 0 ? ['nothing'] : changes }
  })
}

function flat(config) {
  const { contrarian, ...rest } = config
  const inner = Object.entries(contrarian).map(([name, value]) => [`contrarian.${name}`, value])
  return { ...rest, ...Object.fromEntries(inner) }
}
