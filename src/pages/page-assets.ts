import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A script or style that stands inside a page, and the hash by which the page's policy allows exactly it. */
export type Inlined = { text: string; hash: string }

/** Comments and indentation are for us and are not sent: a line begins with code, or holds none. */
export function inlinedScript(name: string): Inlined {
  return toInlined(linesOf(name).join('\n'))
}

export function inlinedStyle(name: string): Inlined {
  const text = linesOf(name)
    .join(' ')
    .replace(/ ?([{};,]) ?/g, '$1')
  return toInlined(text.replaceAll(': ', ':').replaceAll(';}', '}'))
}

function linesOf(name: string): string[] {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^\/[/*]/.test(line))
}

function toInlined(text: string): Inlined {
  if (/<\/(script|style)/i.test(text)) throw new Error('this would close the element it stands in')
  return { text, hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
}

/** Nothing but what stands in the page, and requests to the host it came from. */
export function policyOf(script: Inlined, style: Inlined): string {
  return [
    "default-src 'none'",
    `script-src ${script.hash}`,
    `style-src ${style.hash}`,
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
