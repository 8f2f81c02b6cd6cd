import { isUtf8 } from 'node:buffer'

/** Node refuses more than 16 KB of headers; stock clients send 1 to 4 KB. */
const HEADER_LIMIT_CHARS = 12_288
/** An x402 payment nests six deep; echoed extensions a few more. */
const DEPTH_LIMIT = 20

/** The JSON object behind a payment header, or undefined where any reader could take it for something else. */
export function findHeaderJson(text: string): Record<string, unknown> | undefined {
  if (text.length > HEADER_LIMIT_CHARS) return undefined
  const bytes = Buffer.from(text, 'base64')
  // Only what base64 itself would write comes back the same: one spelling for each payment.
  if (bytes.toString('base64') !== text || !isUtf8(bytes)) return undefined
  try {
    const json = bytes.toString('utf8')
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
 * Valid JSON may still name a key twice, and readers differ in which one counts; `__proto__` is a key to some and
 * a prototype to others. `value` is what was read from `json`: a name that stood there twice is in it once.
 */
function isUnambiguous(json: string, value: Record<string, unknown>): boolean {
  const names = countNames(value, 1)
  return names !== undefined && names === countWrittenNames(json)
}

/** Undefined where there is a name or a depth that no payment has. */
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
 * Strings with a colon behind them; undefined where one is written with an escape, which no payment has and V8 itself
 * misreads (24.21: `a\"` as `a\`, now and then). The text has been parsed, so that quotes are known to be in order.
 */
function countWrittenNames(json: string): number | undefined {
  const hasEscapes = json.includes('\\')
  let count = 0
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = endOfString(json, start)
    let at = end
    // Outside of strings nothing up to a space is written but space.
    while (json.charCodeAt(at) <= SPACE) at++
    if (json.charCodeAt(at) === COLON) {
      if (hasEscapes && json.slice(start, end).includes('\\')) return undefined
      count++
    }
    start = json.indexOf('"', at)
  }
  return count
}

/** Just behind its closing quote. */
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
