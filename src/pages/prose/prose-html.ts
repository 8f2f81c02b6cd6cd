import { Marked, type Tokens } from 'marked'
import { anchorOf } from '../../discovery/markdown/anchor.ts'
import { type Html, html, trusted } from '../frame/html.ts'
import { scrolling } from '../parts/scrolling.ts'

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
      link({ href, text, tokens }) {
        // An address that is its own words is shown as the one that it leads to.
        if (text === href) return html`<a href="${toHref(href)}">${toHref(href)}</a>`.markup
        return html`<a href="${toHref(href)}">${trusted(this.parser.parseInline(tokens))}</a>`.markup
      },
      table(token) {
        const toHtml = ({ tokens }: Tokens.TableCell) => trusted(this.parser.parseInline(tokens))
        const head = token.header.map((cell) => html`<th scope="col">${toHtml(cell)}</th>`)
        const rows = token.rows.map(
          ([first, ...rest]) =>
            html`<tr>${first && html`<th scope="row">${toHtml(first)}</th>`}${rest.map((cell) => html`<td>${toHtml(cell)}</td>`)}</tr>\n`,
        )
        const isNamed = token.rows.every(([first]) => first !== undefined && isCode(first))
        const table = html`<table${isNamed && html` class="named"`}>
<thead><tr>${head}</tr></thead>
<tbody>
${rows}</tbody>
</table>`
        return html`${scrolling('Table', table)}\n`.markup
      },
      code: ({ text, lang }) =>
        html`<pre tabindex="0"${isToCopy(lang) && html` data-copy`}><code${lang !== undefined && lang !== '' && html` class="language-${lang}"`}>${text}</code></pre>\n`
          .markup,
    },
  })
  return trusted(marked.parse(markdown, { async: false }))
}

/** An address or a name, which may be a link. */
function isCode({ tokens }: Tokens.TableCell): boolean {
  const [first] = tokens
  const inside = first?.type === 'link' ? first.tokens?.[0] : first
  return inside?.type === 'codespan'
}

/** Replies are to be read; commands, programs and settings are to be taken along. */
const isToCopy = (lang: string | undefined): boolean => lang !== undefined && lang !== '' && lang !== 'json'
