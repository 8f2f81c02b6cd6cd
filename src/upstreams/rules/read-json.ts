import { readBoundedBytes } from '../../core/bounded-text.ts'

/** The deepest reply of a provider has 8 levels. Whatever walks through a value may recurse without fear. */
const MAX_DEPTH = 64

/** A reply that arrived whole and is not what it should be. */
export class BadReply extends Error {}

/** The body as JSON: bounded in bytes and depth, strictly UTF-8. Rejects with `BadReply`, or as the connection does. */
export async function readJson(reply: Response, maxBytes: number): Promise<unknown> {
  const bytes = await readBoundedBytes(reply, maxBytes)
  if (!bytes) throw new BadReply(`a reply of more than ${maxBytes} bytes`)
  return parseBoundedJson(decode(bytes))
}

export function parseBoundedJson(text: string): unknown {
  if (isTooDeep(text)) throw new BadReply(`more than ${MAX_DEPTH} levels of JSON`)
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own words quote the reply.
    throw new BadReply(/^\s*</.test(text) ? 'a page instead of JSON' : 'not JSON')
  }
}

function decode(bytes: Uint8Array): string {
  try {
    // Drops a byte order mark, as RFC 8259 allows.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BadReply('not UTF-8')
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/** Where the string ends that begins at `start`; the end of the text where it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
