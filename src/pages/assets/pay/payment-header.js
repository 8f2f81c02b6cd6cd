// Payments and settlements travel in headers, as JSON in base64.
import { parseObject } from '../problem.js'

// Of UTF-8, which `btoa` does not make by itself.
export function toHeader(json) {
  const bytes = new TextEncoder().encode(JSON.stringify(json))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/**
 * An empty object where the text is none of ours. What is read of it is plain ASCII, whatever else stands in it.
 * @param {string | null | undefined} text
 */
export function fromHeader(text) {
  try {
    return parseObject(atob(text ?? ''))
  } catch {
    return {}
  }
}
