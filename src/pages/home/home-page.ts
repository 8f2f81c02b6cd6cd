import type { Prose } from '../../catalog/endpoints/document.ts'
import { markdownPath } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { chainName, NAME } from '../../discovery/about.ts'
import { findPath } from '../../discovery/address.ts'
import { waysToPay } from '../../discovery/prices/price.ts'
import { type Html, html } from '../frame/html.ts'
import type { Page } from '../frame/page.ts'
import { priceRange, priceTables } from '../parts/price-table.ts'
import { previewCard } from './preview-card.ts'
import { waysIn } from './ways-in.ts'

/** What it is, what it costs, what it said last, and how to begin. */
export function homePage(site: Site, { path, describe }: Prose<Site>): Page {
  const main = html`<section class="hero">
<div>
<h1>Market data and five‑minute signals, paid per call</h1>
<p class="lead">${pitch(site)}</p>
<p class="actions">${action(site, 'document.quickstart', 'Make a call', 'button')}
${action(site, 'document.docs', 'Read the docs', 'button quiet')}</p>
</div>
${previewCard(site)}
</section>
${promises(site)}
${waysIn(site)}
<section aria-labelledby="prices">
<h2 id="prices">What it costs</h2>
<p>${freeWords(site)}</p>
<div class="halves">
${priceTables(site, 'h3')}</div>
</section>`
  return {
    path,
    title: NAME,
    description: describe(),
    main,
    scripts: ['home/home.js'],
    markdownAt: markdownPath(path),
  }
}

function pitch(site: Site): string {
  const chains = waysToPay(site).map(({ network }) => chainName(network))
  const range = priceRange(site)
  const cost = range ? `, ${range.from} to ${range.to} a call` : ''
  return `For agents and quants. No account, no API key: your wallet pays USDC on ${chains.join(' or ')}${cost}, and gets a reply that says how old its data is.`
}

function freeWords({ demoCallsPerDay }: Site): string {
  return demoCallsPerDay > 0
    ? `${demoCallsPerDay} calls a day are free, whatever you ask for. After that each call costs what stands here, and nothing else: no subscription, no minimum.`
    : 'Each call costs what stands here, and nothing else: no subscription, no minimum.'
}

function promises(site: Site): Html {
  const cards = [
    {
      title: 'Fresh, or free',
      text: 'What moves has a bound on how old it may be when we sell it. Older data is refused, and a refused call is not charged.',
    },
    {
      title: 'A paid reply is never lost',
      text: 'If the line breaks after you have paid, send the same payment again: you get the same reply, and are charged once.',
    },
    {
      title: 'Honest odds',
      text: 'A signal is a probability, measured against what happened. Where we cannot tell up from down, we say so.',
      link: action(site, 'document.methodology', 'How it is made'),
    },
    {
      title: 'A track record you can check',
      text: 'Before each window opens we commit to a prediction, in a log that cannot be rewritten unseen; it is revealed and scored after the close. The signal that is sold follows the window and can differ from it. Your browser can check any entry, a command checks them all.',
      link: action(site, 'record.summary', 'See the proof'),
    },
  ]
  return html`<section class="grid" aria-label="What you can rely on">
${cards.map(({ title, text, link }) => html`<div class="card"><h2>${title}</h2><p>${text}</p>${link && html`<p>${link}</p>`}</div>\n`)}</section>`
}

function action({ catalog }: Site, id: string, words: string, kind?: string): Html | false {
  const path = findPath(catalog, id)
  if (path === undefined) return false
  return html`<a${kind !== undefined && html` class="${kind}"`} href="${path}">${words}</a>`
}
