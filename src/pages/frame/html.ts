declare const htmlBrand: unique symbol
/** Text that is safe to put into a page. Only this file makes one out of strings. */
export type Html = { readonly markup: string; readonly [htmlBrand]: true }
export type Part = Html | string | number | false | undefined | readonly Part[]

/** A template whose values are escaped, for text and for quoted attributes alike; `false` and `undefined` vanish. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return trusted(texts.map((text, at) => text + toMarkup(parts[at])).join(''))
}

/** For our own markup, scripts and styles only. */
export function trusted(markup: string): Html {
  return { markup } as Html
}

/** JSON for a data block: no text in it can close the element or open a comment. */
export function dataBlock(id: string, json: string, type = 'application/json'): Html {
  return html`<script type="${type}" id="${id}">${trusted(json.replaceAll('<', '\\u003c'))}</script>`
}

function toMarkup(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeText(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(toMarkup).join('')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
}
