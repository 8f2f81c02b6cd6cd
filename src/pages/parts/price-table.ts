import type { PaidProduct } from '../../catalog/catalog.ts'
import type { Site } from '../../catalog/site.ts'
import { findPath } from '../../discovery/address.ts'
import { docsPath, subjectTitle } from '../../discovery/docs/subject-text.ts'
import { anchorOf } from '../../discovery/markdown/anchor.ts'
import { CURRENCY, priceOf } from '../../discovery/prices/price.ts'
import { type Html, html, trusted } from '../frame/html.ts'

/** Everything that is sold, by subject. The heading fits where they stand. */
export function priceTables({ catalog }: Site, heading: 'h2' | 'h3'): Html[] {
  const hasDocs = findPath(catalog, 'document.docs') !== undefined
  return catalog.groups.flatMap(({ tag, about }) => {
    const sold = catalog.paid.filter((product) => product.tag === tag)
    return sold.length === 0 ? [] : [subjectTable({ tag, about, heading }, sold, hasDocs)]
  })
}

type Subject = { tag: string; about: string; heading: string }

function subjectTable(
  { tag, about, heading }: Subject,
  sold: readonly PaidProduct[],
  hasDocs: boolean,
): Html {
  const rows = sold.map(
    (product) => html`<tr>
<th scope="row">${hasDocs ? docsLink(product) : product.summary}<br><code>${product.path}</code></th>
<td class="number">${priceOf(product).human}</td>
</tr>\n`,
  )
  return html`<section class="card prices" aria-labelledby="prices-${tag}">
<${trusted(heading)} id="prices-${tag}">${subjectTitle(tag)}</${trusted(heading)}>
<p class="small">${about}</p>
<table>
<thead><tr><th scope="col">What you get</th><th scope="col" class="number">${CURRENCY} per call</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</section>
`
}

function docsLink({ tag, method, path, summary }: PaidProduct): Html {
  return html`<a href="${docsPath(tag)}#${anchorOf(`${method} ${path}`)}">${summary}</a>`
}

/** The range of prices, in the words of a person. */
export function priceRange({ catalog: { paid } }: Site): { from: string; to: string } | undefined {
  const sorted = [...paid].sort((a, b) => priceOf(a).usdc - priceOf(b).usdc)
  const [first, last] = [sorted[0], sorted.at(-1)]
  return first && last && { from: priceOf(first).human, to: priceOf(last).human }
}
