import { type Shown, TABLES, type TableName } from '../assets/scalper/words.js'
import { type Html, html } from '../frame/html.ts'
import { scrolling } from '../parts/scrolling.ts'

export function table(name: TableName, shown: Shown, caption: string): Html {
  const { heads, rowsOf, empty } = TABLES[name]
  const rows = rowsOf(shown)
  return html`<p data-empty="${name}"${rows.length > 0 && html` hidden`}>${empty}</p>
${scrolling(
  caption,
  html`<table><caption>${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(row)}</tbody>
</table>`,
  html` data-table="${name}"${rows.length === 0 && html` hidden`}`,
)}`
}

const row = ([first, ...rest]: readonly string[]): Html =>
  html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>\n`
