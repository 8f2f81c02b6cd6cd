/** Node refuses more than 16 KB of headers; stock clients send 1 to 4 KB. */
const HEADER_LIMIT_CHARS = 12_288
/** An x402 payment nests six deep; echoed extensions a few more. */
const DEPTH_LIMIT = 20
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The JSON object behind a payment header, or undefined where any reader could take it for something else. */
export function findHeaderJson(text: string): Record<string, unknown> | undefined {
  if (text.length > HEADER_LIMIT_CHARS || !BASE64.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) return undefined
  try {
    const json = utf8.decode(bytes)
    const value: unknown = JSON.parse(json)
    return isObject(value) && isUnambiguous(json) ? value : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Valid JSON may still name a key twice, and readers differ in which one counts; `__proto__` is a key to some and
 * a prototype to others. `json` has been parsed before, so that quotes and brackets are known to be in order.
 */
function isUnambiguous(json: string): boolean {
  const open: Set<string>[] = []
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (char === '{' || char === '[') {
      if (open.push(new Set()) > DEPTH_LIMIT) return false
    } else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      const end = endOfString(json, at)
      if (isKey(json, end)) {
        const key: string = JSON.parse(json.slice(at, end))
        const keys = open.at(-1)
        if (key === '__proto__' || keys?.has(key)) return false
        keys?.add(key)
      }
      at = end - 1
    }
  }
  return true
}

function endOfString(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

function isKey(json: string, after: number): boolean {
  let at = after
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++
  return json[at] === ':'
}
