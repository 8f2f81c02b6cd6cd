import type { Site } from '../../catalog/site.ts'
import { type Html, html } from '../frame/html.ts'

/** One sheet of the console. `name` is its anchor, and its script is `console/<name>.js`. */
export type Section = { name: string; words: string; lead: string; body: (site: Site) => Html }

export function toMarkup(site: Site, { name, words, lead, body }: Section): Html {
  return html`<section id="${name}" aria-labelledby="${name}-title" hidden>
<h2 id="${name}-title" tabindex="-1">${words}</h2>
<p class="small">${lead} <span data-as-of></span></p>
<p class="trouble" role="status"></p>
<div data-body>
${body(site)}
</div>
</section>
`
}

/** Where the script draws something. */
export const part = (name: string): Html => html`<div data-part="${name}"></div>\n`
export const titledPart = (words: string, name: string): Html => html`<h3>${words}</h3>\n${part(name)}`
