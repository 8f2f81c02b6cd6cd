import type { PaidProduct } from '../../catalog/catalog.ts'
import { type Html, html } from '../frame/html.ts'
import type { createAskedWords } from './asked-words.ts'

/** The whole example, made once. It says of what it is where something else was asked for. */
export function exampleBox(
  product: PaidProduct,
  askedWords: ReturnType<typeof createAskedWords>,
): (title: string) => Html {
  const code = html`<pre class="reply" tabindex="0" role="region" aria-label="Example"><code>${JSON.stringify(product.example, null, 2)}</code></pre>`
  const sampled = product.title && askedWords(product.params.parse(product.sample)).title
  return (title) => html`<section class="card" aria-labelledby="example-title">
<h2 id="example-title">What you get</h2>
<p>${caption(title, sampled)}</p>
${code}
</section>`
}

function caption(title: string, sampled: string | undefined): string {
  const shown = 'JSON with these fields. The values are an example, not those of today'
  return sampled === undefined || sampled === title ? `${shown}.` : `${shown}: ${sampled}.`
}
