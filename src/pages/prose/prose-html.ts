import { Marked } from 'marked'
import { anchorOf } from '../../discovery/markdown/anchor.ts'
import { type Html, html, trusted } from '../html.ts'

/** Markdown of ours as HTML. Markup in it is shown as text; links are handed over to be turned into ours. */
export function proseHtml(markdown: string, toHref: (address: string) => string): Html {
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => html`${text}`.markup,
      heading({ tokens, depth, text }) {
        return html`<${trusted(`h${depth}`)} id="${anchorOf(text)}">${trusted(this.parser.parseInline(tokens))}</${trusted(`h${depth}`)}>\n`
          .markup
      },
      link({ href, tokens }) {
        return html`<a href="${toHref(href)}">${trusted(this.parser.parseInline(tokens))}</a>`.markup
      },
      // Wider than a telephone, so it scrolls by itself, also by keys.
      table(token) {
        const head = token.header.map(
          (cell) => html`<th scope="col">${cellOf(this.parser.parseInline(cell.tokens))}</th>`,
        )
        const rows = token.rows.map(
          (row) =>
            html`<tr>${row.map((cell) => html`<td>${cellOf(this.parser.parseInline(cell.tokens))}</td>`)}</tr>\n`,
        )
        return html`<div class="scroll" tabindex="0" role="region" aria-label="Table">
<table>
<thead><tr>${head}</tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
`.markup
      },
      code: ({ text, lang }) =>
        html`<pre tabindex="0"><code${lang !== undefined && lang !== '' && html` class="language-${lang}"`}>${text}</code></pre>\n`
          .markup,
    },
  })
  return trusted(marked.parse(markdown, { async: false }))
}

const cellOf = (markup: string): Html => trusted(markup)
