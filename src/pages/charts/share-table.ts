import { type Html, html } from '../frame/html.ts'
import { scrolling } from '../parts/scrolling.ts'

/** `value` decides about the length of the bar, `cells` are told beside it. */
export type ShareRow = { name: Html | string; value: number; cells: readonly string[] }

/** Names with a bar each, the longest first: chart and table in one. */
export function shareTable(
  title: string,
  heads: readonly [string, ...string[]],
  rows: readonly ShareRow[],
): Html {
  const top = Math.max(0, ...rows.map(({ value }) => value))
  const [nameHead, ...cellHeads] = heads
  const table = html`<table class="shares">
<thead><tr><th scope="col">${nameHead}</th>${cellHeads.map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => shareRow(row, top))}</tbody>
</table>`
  return scrolling(title, table)
}

function shareRow({ name, value, cells }: ShareRow, top: number): Html {
  const width = top > 0 ? Math.round((Math.max(0, value) / top) * 1_000) / 10 : 0
  return html`<tr><th scope="row">${name}<svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-fill" width="${width}" height="6"/></svg></th>${cells.map(
    (cell) => html`<td class="number">${cell}</td>`,
  )}</tr>\n`
}
