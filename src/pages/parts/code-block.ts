import { type Html, html } from '../frame/html.ts'

/** `id` is that of the code, for a script; what is long scrolls in its block. */
type Options = { id?: string; isLong?: boolean }

/** Code to take along: a script puts a button for copying beside it, and names the host that the visitor came by. */
export function codeBlock(code: string, { id, isLong }: Options = {}): Html {
  return html`<pre${isLong && html` class="reply"`} tabindex="0" data-copy><code${id !== undefined && html` id="${id}"`}>${code}</code></pre>`
}
