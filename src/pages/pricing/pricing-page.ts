import type { Prose } from '../../catalog/endpoints/document.ts'
import { markdownPath } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { chainName, NAME } from '../../discovery/about.ts'
import { CURRENCY, waysToPay } from '../../discovery/prices/price.ts'
import { REPLY_KEPT_HOURS } from '../frame/facts.ts'
import { type Html, html } from '../frame/html.ts'
import type { Page } from '../frame/page.ts'
import { priceTables } from '../parts/price-table.ts'

export function pricingPage(site: Site, { path, describe }: Prose<Site>): Page {
  const main = html`<h1>Pricing</h1>
<p class="lead">You pay for replies, one by one, in ${CURRENCY}. There is no subscription and no minimum.</p>
${terms(site)}
<section aria-label="Prices">
<div class="halves">
${priceTables(site, 'h2')}</div>
</section>`
  return { path, title: `${NAME} pricing`, description: describe(), main, markdownAt: markdownPath(path) }
}

function terms(site: Site): Html {
  const { demoCallsPerDay } = site
  const chains = waysToPay(site).map(({ network }) => chainName(network))
  return html`<dl class="stats">
<div><dt>Free calls</dt><dd>${demoCallsPerDay > 0 ? html`${demoCallsPerDay} <small>a day, over all products together</small>` : 'none'}</dd></div>
<div><dt>You pay on</dt><dd>${chains.join(' or ')} <small>the price and nothing more: no network fee</small></dd></div>
<div><dt>A call that fails</dt><dd>$0 <small>errors, refusals and data that is too old are never charged</small></dd></div>
<div><dt>Paid, but not received?</dt><dd>${REPLY_KEPT_HOURS} h <small>the same payment brings the same reply again</small></dd></div>
</dl>`
}
