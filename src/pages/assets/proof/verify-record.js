// Checks one entry of the track record, /record/{id}, in your browser. It believes nothing that the entry says of
// itself: every hash and signature is computed anew. The rules are those of /methodology/record.
// This file and entry-shape.js are the whole check. They send nothing, and run in Node too.
import { readEntry } from './entry-shape.js'

/**
 * A key of the service; `until` is when it was replaced.
 * @typedef {{ id: string, until: string | null }} Key
 * `isTrue` is undefined where this browser cannot check it.
 * @typedef {{ name: string, isTrue: boolean | undefined, words: string }} Check
 * @typedef {{ verdict: 'true' | 'untrue' | 'incomplete' | 'unreadable', words: string, checks: Check[] }} Result
 */

const WINDOW_S = 300
const TAKE_BACK_S = 30
const REVEAL_WITHIN_S = 15 * WINDOW_S
const COINS = ['BTC', 'ETH', 'SOL', 'XRP']

/**
 * @param {string} text the JSON of one entry
 * @param {Key[]} keys those that this service signs with and signed with
 * @returns {Promise<Result>}
 */
export async function verifyRecord(text, keys) {
  let record
  try {
    if (!globalThis.crypto?.subtle) throw new Error(NO_CRYPTO)
    record = readEntry(text)
  } catch (error) {
    return { verdict: 'unreadable', words: error.message, checks: [] }
  }
  const checks = [
    checkEntry(record),
    await checkSignature(record, keys),
    await checkTree(record),
    await checkSeal(record, keys),
    await checkPrediction(record),
    checkOutcome(record),
    checkWhole(record),
  ].filter((check) => check !== undefined)
  const wrong = checks.filter(({ isTrue }) => isTrue === false)
  if (wrong.length > 0) {
    const words = `Not true. ${wrong.length} of ${checks.length} checks failed, first of all this one: ${wrong[0]?.words}`
    return { verdict: 'untrue', words, checks }
  }
  const untold = checks.find(({ isTrue }) => isTrue === undefined)
  if (untold)
    return {
      verdict: 'incomplete',
      words: `What could be checked is true, but not all of it was. ${untold.words}`,
      checks,
    }
  return { verdict: 'true', words: WHAT_IS_TRUE[record.state], checks }
}

const NO_CRYPTO =
  'This browser lets pages compute hashes only over https. Open this page over https, or check with: tollbook verify-record.'
const WHAT_IS_TRUE = {
  revealed: 'True. This prediction was fixed before its window opened, and nothing was changed since.',
  committed: 'True so far. The prediction is fixed; what it says is shown when its window has closed.',
  missed: 'True. This window has no prediction that counts, and the record says so.',
}

// ---- 1. Do the parts belong together?

function checkEntry({ id, coin, window_start, window_end, state, leaves, head, timestamp, source }) {
  const kinds = leaves.map(({ leaf }) => leaf.kind).join()
  const states = {
    commit: 'committed',
    missed: 'missed',
    'commit,reveal': 'revealed',
    'commit,missed': 'missed',
  }
  const times = [...leaves.map(({ leaf }) => timeOf(leaf)), Date.parse(head.timestamp)]
  const isOne =
    COINS.includes(coin) &&
    window_start % WINDOW_S === 0 &&
    window_end === window_start + WINDOW_S &&
    states[kinds] === state &&
    [{ id, coin, window_start }, ...leaves.map(({ leaf }) => leaf)].every(
      (each) =>
        each.coin === coin && each.window_start === window_start && each.id === `${coin}-${window_start}`,
    ) &&
    leaves.every(({ index }, n) => n === 0 || index > leaves[n - 1].index) &&
    times.every((time, n) => n === 0 || time >= times[n - 1]) &&
    timestamp === head.timestamp &&
    (head.mode === undefined || source === (head.mode === 'sandbox' ? 'sandbox:record' : 'record'))
  return check('One entry', isOne, [
    `All parts are of ${coin} in the window of ${new Date(window_start * 1000).toISOString()}.`,
    'The parts of this entry do not belong together: coins, windows, times, state or source differ.',
  ])
}

const timeOf = (leaf) => Date.parse(leaf.committed_at ?? leaf.missed_at ?? leaf.revealed_at)

// ---- 2. Did this service sign the newest head?

async function checkSignature({ head }, keys) {
  const isTrue = await isSigned(head, keys)
  return check('Signature', isTrue, [
    `The head over ${head.tree_size} lines is signed with the key of this service.`,
    'The head is not signed with a key of this service.',
    'This browser does not know Ed25519 signatures, so the signature was not checked. A newer browser does, and so does: tollbook verify-record.',
  ])
}

/** Ed25519 over the canonical JSON of everything but the signature, and what it is for. */
async function isSigned({ signature, ...said }, keys) {
  const key = keys.find(({ id }) => id === said.key_id)
  const bytes = keyBytes(said.key_id)
  const signed = fromBase64Url(signature)
  if (!key || !bytes || !signed) return false
  if (key.until !== null && Date.parse(said.timestamp) > Date.parse(key.until)) return false
  const text = utf8(canonical({ ...said, what: 'tollbook-record-head-v1' }))
  try {
    const publicKey = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', publicKey, signed, text)
  } catch {
    return undefined
  }
}

/** A did:key is base58 of 0xed 0x01 and the 32 bytes of the key. */
function keyBytes(id) {
  if (!/^did:key:z[1-9A-HJ-NP-Za-km-z]{40,60}$/.test(id)) return undefined
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let value = 0n
  for (const letter of id.slice('did:key:z'.length)) value = value * 58n + BigInt(letters.indexOf(letter))
  const [, key] = /^ed01([0-9a-f]{64})$/.exec(value.toString(16)) ?? []
  return key && fromHex(key)
}

// ---- 3. Is every line of the entry in the tree of that head?

async function checkTree({ leaves, proofs, head }) {
  const isIn = await Promise.all(
    leaves.map(({ index, leaf }, n) => {
      const { kind, leaf_index, path } = proofs[n]
      return kind === leaf.kind && leaf_index === index && isInTree(leaf, index, path, head)
    }),
  )
  const at = isIn.indexOf(false)
  return check('In the log', at < 0, [
    `Its ${leaves.length === 1 ? 'line is' : 'lines are'} in the log, exactly as shown here.`,
    `The line "${leaves[Math.max(0, at)].leaf.kind}" is not in the log as it is shown here: it was changed, or its proof was.`,
  ])
}

/** Climbs from the leaf to the root, as RFC 9162 describes it in section 2.1.3.2. */
async function isInTree(leaf, index, path, { tree_size, root_hash }) {
  if (index >= tree_size) return false
  let hash = await sha256(new Uint8Array([0]), utf8(canonical(leaf)))
  let [at, last] = [index, tree_size - 1]
  for (const beside of path) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      hash = await sha256(new Uint8Array([1]), fromHex(beside), hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else hash = await sha256(new Uint8Array([1]), hash, fromHex(beside))
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 && toHex(hash) === root_hash
}

// ---- 4. Was the prediction fixed before its window opened?

async function checkSeal({ leaves, window_start, first_head, head }, keys) {
  const [{ index, leaf }, next] = leaves
  if (leaf.kind !== 'commit')
    return check('Missed', first_head === null && leaf.reason !== undefined, [
      `Nothing was predicted for this window; the record gives the reason "${leaf.reason}".`,
      'A window without a prediction cannot have been fixed beforehand.',
    ])
  const openMs = window_start * 1000
  const first = first_head?.head
  const isBefore =
    first &&
    timeOf(leaf) < openMs &&
    timeOf(leaf) <= Date.parse(first.timestamp) &&
    Date.parse(first.timestamp) < openMs &&
    first.tree_size <= head.tree_size &&
    (first.tree_size < head.tree_size || first.root_hash === head.root_hash) &&
    (first.mode === undefined || first.mode === head.mode) &&
    (await isInTree(leaf, index, first_head.path, first))
  const isTakenBack = next?.leaf.kind === 'missed'
  const lateMs = isTakenBack ? timeOf(next.leaf) - openMs : 0
  const isAllowed =
    !isTakenBack || (next.leaf.reason === 'late' && lateMs >= 0 && lateMs <= TAKE_BACK_S * 1000)
  return check('Fixed beforehand', isBefore && isAllowed ? await isSigned(first, keys) : false, [
    `It was fixed at ${leaf.committed_at}, before the window opened, under a head signed then.`,
    'Nothing signed shows that it was fixed before its window opened.',
    'It was fixed before the window opened, but this browser cannot check the signature that says so.',
  ])
}

// ---- 5. Is the prediction that is shown the one that was fixed?

async function checkPrediction({ leaves, coin, window_start }) {
  const [commit, reveal] = leaves.map(({ leaf }) => leaf)
  if (reveal?.kind !== 'reveal') return undefined
  const { prediction, salt } = reveal
  const seal = toHex(await sha256(utf8(canonical({ prediction, salt }))))
  const { probability_up: p } = prediction
  const isIt =
    seal === commit.commitment &&
    prediction.coin === coin &&
    prediction.window_start === window_start &&
    Date.parse(prediction.as_of) < window_start * 1000 &&
    p >= 0 &&
    p <= 1 &&
    prediction.direction === (p >= 0.5 ? 'UP' : 'DOWN')
  return check('The same prediction', isIt, [
    `What was revealed is what was fixed: ${(100 * p).toFixed(2)} % for UP.`,
    'What was revealed is not what was fixed before the window.',
  ])
}

// ---- 6. Does the outcome follow from the prices?

function checkOutcome({ leaves, window_start, window_end }) {
  const reveal = leaves.at(-1).leaf
  if (reveal.kind !== 'reveal') return undefined
  const { open, close, prediction, outcome, hit, reason } = reveal
  const isOf = (price, atS) =>
    price === null || (price.price > 0 && Math.floor(Date.parse(price.at) / 1000) === atS)
  const isKnown = open !== null && close !== null && open.price_kind === close.price_kind
  const came = !isKnown ? 'unknown' : close.price >= open.price ? 'UP' : 'DOWN'
  const isRight =
    timeOf(reveal) >= window_end * 1000 &&
    isOf(open, window_start) &&
    isOf(close, window_end) &&
    outcome === came &&
    (reason === null) === isKnown &&
    hit === (isKnown ? came === prediction.direction : null)
  const score = (prediction.probability_up - (came === 'UP' ? 1 : 0)) ** 2
  return check('Outcome', isRight, [
    isKnown
      ? `${open.price} at the opening and ${close.price} at the close make it ${came}. Brier score ${score.toFixed(4)}; a coin flip gets 0.25.`
      : `The prices are not known (${reason}), so it is not scored.`,
    `The prices that are stated make it ${came}, or are of other seconds; the record says ${outcome}.`,
  ])
}

// ---- 7. Is its end there?

/** Long after its window a prediction has been revealed or taken back: an entry without that was cut short. */
function checkWhole({ state, window_end, head }) {
  if (state !== 'committed') return undefined
  const isLate = Date.parse(head.timestamp) > (window_end + REVEAL_WITHIN_S) * 1000
  return check('Whole', isLate ? undefined : true, [
    'Its window has not closed long ago, so its prediction need not be shown yet.',
    '',
    `Its head was signed at ${head.timestamp}, when the prediction had long been due to be shown, and it is missing here. Take the whole entry from /record/{id}.`,
  ])
}

/** The texts are for what is true, for what is not, and for what cannot be told. */
function check(name, isTrue, [yes, no, untold = '']) {
  return { name, isTrue, words: isTrue === undefined ? untold : isTrue ? yes : no }
}

// ---- Bytes and texts

/** Canonical JSON (RFC 8785): sorted names, and numbers as ECMAScript writes them. */
function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`
}

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer()))
}

const utf8 = (string) => new TextEncoder().encode(string)
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (hex) => Uint8Array.from(hex.match(/../g), (pair) => Number.parseInt(pair, 16))

/** Undefined where there is another way to write the same bytes: such a signature is not the one that was made. */
function fromBase64Url(string) {
  if (!/^[\w-]{86}$/.test(string)) return undefined
  const binary = atob(string.replaceAll('-', '+').replaceAll('_', '/'))
  const again = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return again === string ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : undefined
}
