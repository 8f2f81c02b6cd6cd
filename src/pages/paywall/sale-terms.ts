import type { PaidProduct } from '../../catalog/catalog.ts'
import type { Site } from '../../catalog/site.ts'
import { NAME } from '../../discovery/about.ts'
import { findPath } from '../../discovery/address.ts'
import { docsPath } from '../../discovery/docs/subject-text.ts'
import { CURRENCY, priceOf } from '../../discovery/prices/price.ts'
import { REPLY_KEPT_HOURS } from '../frame/facts.ts'
import { type Html, html } from '../frame/html.ts'

/** Who sells, what is bought, and what happens afterwards. */
export function saleTerms(site: Site, product: PaidProduct): (chains: string) => Html {
  const { contactEmail } = site
  const docs = findPath(site.catalog, 'document.docs') && docsPath(product.tag)
  return (chains) => html`<section aria-labelledby="sale-title">
<h2 id="sale-title">The deal</h2>
<dl class="fields">
<dt>Seller</dt><dd>${NAME}${contactEmail !== '' && html`, run by <a href="mailto:${contactEmail}">${contactEmail}</a>`}</dd>
<dt>You get</dt><dd>One reply as JSON, made when you ask.${docs && html` <a href="${docs}">Every field explained</a>`}</dd>
<dt>Price</dt><dd>${priceOf(product).human} once, in ${CURRENCY} on ${chains}</dd>
<dt>If it fails</dt><dd>Nothing is charged. The reply is made first, and only then the payment settles.</dd>
<dt>Afterwards</dt><dd>The same payment fetches the same reply again for ${REPLY_KEPT_HOURS} hours, uncharged, and there is a signed receipt. A settled payment is final.</dd>
${holders(site)}
</dl>
</section>`
}

function holders({ catalog, hasProjectToken }: Site): Html | false {
  const signIn = catalog.endpoints.find(({ id }) => id === 'account.challenge')
  if (!hasProjectToken || !signIn) return false
  return html`<dt>Holders</dt><dd>Holders of the project token sign in and call without paying. <a href="${docsPath(signIn.tag)}">How that works</a></dd>`
}
