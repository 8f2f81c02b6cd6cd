import { type Html, html } from '../frame/html.ts'

/** A table may be wider than a telephone: it scrolls by itself, also by keys once it is focused. */
export function scrolling(label: string, table: Html, attributes?: Html | false): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}"${attributes}>
${table}
</div>`
}
