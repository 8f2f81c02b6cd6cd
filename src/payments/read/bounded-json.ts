import { isUtf8 } from 'node:buffer'
import { createBoundedCache } from '../../core/bounded-cache.ts'
import { deepFreeze } from '../../core/deep-freeze.ts'
import type { Fault } from './faults.ts'

/** Node refuses more than 16 KB of headers; stock clients send 1 to 4 KB. */
const HEADER_LIMIT_CHARS = 12_288
/** An x402 payment nests six deep; echoed extensions a few more. */
const DEPTH_LIMIT = 20

/** The JSON object in a payment header; undefined where two readers could understand it differently. */
export function findHeaderJson(text: string): Record<string, unknown> | undefined {
  if (text.length > HEADER_LIMIT_CHARS) return undefined
  const bytes = Buffer.from(text, 'base64')
  // Only canonical base64 survives the round trip: one spelling per payment.
  if (bytes.toString('base64') !== text || !isUtf8(bytes)) return undefined
  const json = bytes.toString('utf8')
  return findInParts(json) ?? findObject(json)
}

/** What keeps a header in which there is no such object from being read. */
export function findHeaderFault(text: string): Fault {
  if (text.length > HEADER_LIMIT_CHARS) return 'length'
  return Buffer.from(text, 'base64').toString('base64') === text && text !== '' ? 'json' : 'base64'
}

/** As stock clients write an EVM payment: what was signed for it, then what the challenge said. */
const SIGNED_FIRST =
  /^\{"x402Version":2,"payload":(\{(?:"authorization":\{[^{}[\]\\]*\}|"signature":"[0-9a-fA-Fx]*"|,){3}\}),(?=")/
const KNOWN_RESTS = 128
/** Two thirds of a payment repeat the challenge to the letter, and most payments that of a few products. */
const knownRests = createBoundedCache<string, Record<string, unknown>>({ capacity: KNOWN_RESTS })

/**
 * The same as the whole text would give: each part is an object that two readers understand alike, and no name stands in
 * both. Undefined where it is not written in this way.
 */
function findInParts(json: string): Record<string, unknown> | undefined {
  const [start, signed] = SIGNED_FIRST.exec(json) ?? []
  if (start === undefined || signed === undefined) return undefined
  const rest = findRest(`{${json.slice(start.length)}`)
  if (!rest || 'x402Version' in rest || 'payload' in rest) return undefined
  const payload = findObject(signed)
  return payload && { x402Version: 2, payload, ...rest }
}

function findRest(json: string): Record<string, unknown> | undefined {
  const known = knownRests.get(json)
  if (known) return known
  const found = findObject(json)
  if (found) knownRests.set(json, deepFreeze(found))
  return found
}

function findObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) && isUnambiguous(json, value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Valid JSON may contain a name twice, and readers differ in which one counts; `__proto__` is a plain name to some and
 * the prototype to others. `value` was parsed from `json`: a name that is written twice is in it once.
 */
function isUnambiguous(json: string, value: Record<string, unknown>): boolean {
  const names = countNames(value, 1)
  return names !== undefined && names === countWrittenNames(json)
}

/** Undefined for a name or a depth that no payment has. */
function countNames(value: unknown, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null) return 0
  if (depth > DEPTH_LIMIT) return undefined
  const isList = Array.isArray(value)
  let count = 0
  for (const name of Object.keys(value)) {
    if (name === '__proto__') return undefined
    const inside = countNames((value as Record<string, unknown>)[name], depth + 1)
    if (inside === undefined) return undefined
    count += inside + (isList ? 0 : 1)
  }
  return count
}

const COLON = 0x3a
const SPACE = 0x20

/**
 * Strings followed by a colon; undefined where one contains an escape, which no payment has and V8 sometimes misreads
 * (Node 24.21: `a\"` as `a\`). The text has been parsed before, so its quotes are balanced.
 */
function countWrittenNames(json: string): number | undefined {
  const hasEscapes = json.includes('\\')
  let count = 0
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = endOfString(json, start)
    let at = end
    // Outside of strings, characters up to a space are white space.
    while (json.charCodeAt(at) <= SPACE) at++
    if (json.charCodeAt(at) === COLON) {
      if (hasEscapes && json.slice(start, end).includes('\\')) return undefined
      count++
    }
    start = json.indexOf('"', at)
  }
  return count
}

/** The index after its closing quote. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end + 1
}

/** By an odd number of backslashes before it. */
function isEscaped(json: string, quote: number): boolean {
  let from = quote
  while (json[from - 1] === '\\') from--
  return (quote - from) % 2 === 1
}
