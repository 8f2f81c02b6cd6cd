// What an entry of the track record, /record/{id}, consists of. A member that is missing, unknown or of another type
// makes it none: what is not checked must not stand in it. verify-record.js checks whether it is true.

const MOST_CHARS = 100_000

const is = (pattern) => (value) => typeof value === 'string' && pattern.test(value)
const text = is(/^.{1,200}$/)
const hash = is(/^[0-9a-f]{64}$/)
const time = (value) =>
  is(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)(value) && !Number.isNaN(Date.parse(value))
const count = (value) => Number.isSafeInteger(value) && value >= 0
const number = (value) => typeof value === 'number' && Number.isFinite(value)
const flag = (value) => typeof value === 'boolean'
const orNull = (shape) => (value, where) => value === null || matches(shape, value, where)
const listOf = (shape, most) => (value, where) =>
  Array.isArray(value) &&
  value.length <= most &&
  value.every((each, n) => matches(shape, each, `${where}[${n}]`))

const ENTRY = { kind: text, id: text, coin: text, window_start: count }
const PRICE = orNull({ price: number, price_kind: text, at: time })
const PREDICTION = {
  ...{ coin: text, window_start: count, as_of: time, probability_up: number, direction: text },
  ...{ confidence: number, abstain: flag, regime: text, model: text },
}
const LEAVES = {
  commit: { ...ENTRY, committed_at: time, commitment: hash },
  missed: { ...ENTRY, missed_at: time, reason: text },
  reveal: {
    ...{ ...ENTRY, revealed_at: time, salt: hash, prediction: PREDICTION, open: PRICE, close: PRICE },
    ...{ outcome: text, hit: orNull(flag), reason: orNull(text) },
  },
}
const leaf = (value, where) =>
  Object.hasOwn(LEAVES, Object(value).kind) && matches(LEAVES[value.kind], value, where)
const HEAD = { tree_size: count, root_hash: hash, timestamp: time, key_id: text, signature: text }
// Heads of earlier releases do not state their mode.
const head = (value, where) =>
  matches(
    Object.hasOwn(Object(value), 'mode') ? { ...HEAD, mode: is(/^(sandbox|paper|live)$/) } : HEAD,
    value,
    where,
  )
const PATH = listOf(hash, 64)
const WHOLE = {
  ...{
    timestamp: time,
    source: text,
    id: text,
    coin: text,
    window_start: count,
    window_end: count,
    state: text,
  },
  ...{ leaves: listOf({ index: count, leaf }, 2), head, first_head: orNull({ head, path: PATH }) },
  proofs: listOf({ kind: text, leaf_index: count, path: PATH }, 2),
}

/** Throws what is wrong with it, in words for people. */
export function readEntry(pasted) {
  if (pasted.trim() === '')
    throw new Error('Nothing to check yet: paste an entry, or take one from the list.')
  if (pasted.length > MOST_CHARS)
    throw new Error(`This is too long for an entry: ${pasted.length} characters.`)
  let entry
  try {
    entry = JSON.parse(pasted)
  } catch {
    throw new Error(
      'This is no JSON. Paste the whole reply of /record/{id}, from the first brace to the last.',
    )
  }
  matches(WHOLE, entry, 'the entry')
  if (entry.leaves.length === 0 || entry.leaves.length !== entry.proofs.length)
    throw new Error('This is no entry of the record: it needs one or two leaves and a proof for each.')
  // JSON takes the last of two members of one name: the text would show people the first, which nobody checked.
  if (countNames(pasted) !== countMembers(entry))
    throw new Error(
      'This is no entry of the record: a member stands in it twice. Take the entry from /record/{id} again.',
    )
  return entry
}

/** Names of members in a text that is JSON: strings before a colon. */
const countNames = (json) =>
  [...json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length

function countMembers(value) {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value)
  return parts.reduce((sum, part) => sum + countMembers(part), Array.isArray(value) ? 0 : parts.length)
}

/** Throws what is wrong with the first member that is. */
function matches(shape, value, where) {
  const refuse = (what) => {
    throw new Error(`This is no entry of the record: ${where} ${what}.`)
  }
  if (typeof shape === 'function')
    return shape(value, where) || refuse('is missing or not what belongs there')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse('is no object')
  for (const name of Object.keys(value))
    if (!Object.hasOwn(shape, name)) refuse(`has a member that none has: ${name.slice(0, 40)}`)
  for (const name of Object.keys(shape))
    matches(shape[name], value[name], where === 'the entry' ? name : `${where}.${name}`)
  return true
}
