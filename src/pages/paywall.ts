import type { PaidProduct } from '../catalog/catalog.ts'
import type { AnyParams } from '../catalog/endpoints/endpoint.ts'
import type { Requirement } from '../catalog/payment-terms.ts'
import type { Site } from '../catalog/site.ts'
import { chainName, NAME, noticeOf, PAYING_CODE, SDK } from '../discovery/about.ts'
import { findPath, urlOf } from '../discovery/address.ts'
import { CURRENCY, priceOf } from '../discovery/prices/price.ts'
import type { Challenge } from '../payments/challenge/challenge.ts'
import { EVM_NETWORK } from '../payments/challenge/terms.ts'
import { REFUSALS, type RefusalReason } from '../payments/gate/refusal.ts'
import { exampleFields } from './example-fields.ts'
import { dataBlock, type Html, html, trusted } from './html.ts'
import { inlinedScript, inlinedStyle, policyOf } from './page-assets.ts'

export type PaywallContext = {
  site: Site
  product: PaidProduct
  params: AnyParams
  /** The caller wanted to see the price, whether or not a free call was left. */
  isPriceAsked: boolean
}
export type Page = { html: string; contentSecurityPolicy: string }
type Envelope = {
  error: RefusalReason
  resource: { url: string }
  accepts: readonly Requirement[]
  extensions?: unknown
}

const script = inlinedScript('./paywall-script.js')
const style = inlinedStyle('./paywall.css')
const contentSecurityPolicy = policyOf(script, style)

/**
 * What a browser sees of a 402. The envelope is read from the header, which is v2 whatever version the body has.
 * Nowhere in the text stands an address to send money to: agents that read pages must not find one in prose.
 */
export function renderPaywall({ header }: Pick<Challenge, 'header'>, context: PaywallContext): Page {
  const { site, product, params } = context
  const envelope = JSON.parse(Buffer.from(header, 'base64').toString()) as Envelope
  const ways = waysToPay(site, envelope)
  const title = product.title?.(params) ?? product.summary
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${priceOf(product).human}: ${title} · ${NAME}</title>
<style>${trusted(style.text)}</style>
</head>
<body>
<main>
${masthead(site)}
<h1>${title}</h1>
<p class="why">${reasonOf(envelope.error, context)}</p>
<p class="lead">${product.description}</p>
${price(product, envelope.accepts)}
${ways && payBox(site, ways)}
${contents(product, params)}
${otherWays(site, envelope.resource.url)}
</main>
${footer(site)}
${
  ways &&
  html`${dataBlock('terms', JSON.stringify(termsOf(site, envelope)))}
<script type="module">${trusted(script.text)}</script>`
}
</body>
</html>
`
  return { html: page.markup, contentSecurityPolicy }
}

/** Which buttons there are: for a wallet in the browser, and for one that the service makes. */
type Ways = { wallet: boolean; playPath: string | undefined }

function waysToPay({ catalog }: Site, { accepts }: Envelope): Ways | undefined {
  const wallet = accepts.some(({ scheme, network }) => scheme === 'exact' && network === EVM_NETWORK)
  const playPath = accepts.length > 0 ? findPath(catalog, 'sandbox.payment') : undefined
  return wallet || playPath ? { wallet, playPath } : undefined
}

/** What the script pays: all that an x402 payment echoes, and where receipts are shown. */
function termsOf({ catalog }: Site, { resource, accepts, extensions }: Envelope) {
  const receipts = findPath(catalog, 'payments.receipt')
  return { required: { x402Version: 2, resource, accepts, extensions }, receipts }
}

function reasonOf(error: RefusalReason, { site, isPriceAsked }: PaywallContext): string {
  if (error === 'allowance_used') return `You see this page because ${REFUSALS[error]}.`
  if (error !== 'payment_required')
    return `Your payment was refused and nothing was charged: ${REFUSALS[error]}.`
  if (isPriceAsked) return 'You asked for the price (demo=0), so no free call was used.'
  return site.demoCallsPerDay > 0
    ? 'You see this page because no free call is left for you today. They are counted anew at 00:00 UTC.'
    : 'You see this page because every call is paid here: there are no free ones.'
}

function masthead(site: Site): Html {
  const isSimulated = noticeOf(site) !== ''
  // Without its host, which may be another name of the one this page came from.
  const icon = new URL(urlOf(site, 'document.favicon')).pathname
  return html`<header>
<img src="${icon}" width="28" height="28" alt="">
<strong>${NAME}</strong>${isSimulated && html`<span class="mode">${site.mode}</span>`}
</header>`
}

function price(product: PaidProduct, accepts: readonly Requirement[]): Html {
  const chains = accepts.map(({ network }) => chainName(network)).join(' or ')
  return html`<p class="price"><b>${priceOf(product).human}</b> <span>per call, in ${CURRENCY} on ${chains}. No account, no key.</span></p>`
}

/** The buttons belong to the script, which shows them; until then, and without script, the page says what else works. */
function payBox(site: Site, { wallet, playPath }: Ways): Html {
  return html`<section class="pay" aria-labelledby="pay-title">
<h2 id="pay-title">Pay in this browser</h2>
${notice(site)}
${playPath && html`<p>One click makes a wallet with play money, pays with it and forgets it.</p>`}
${wallet && html`<p>${signer(playPath)} signs a transfer of exactly this price on Base. You pay no network fee, and a call that fails costs nothing.</p>`}
<p id="plain">Paying here needs JavaScript. The other ways below work without it.</p>
<div id="controls" hidden>
<p id="choice" hidden><label for="wallets">Wallet</label> <select id="wallets"></select></p>
<p class="buttons">
${playPath && html`<button id="play" type="button" data-path="${playPath}">Pay with a throw-away wallet</button>`}
${wallet && html`<button id="pay" type="button">Pay with wallet</button>`}
</p>
</div>
<p id="status" role="status" aria-live="polite"></p>
<div id="result" hidden>
<h3 id="result-title" tabindex="-1">Your reply</h3>
<pre id="reply" tabindex="0" role="region" aria-labelledby="result-title"></pre>
<p class="buttons"><button id="copy" type="button" class="quiet">Copy</button></p>
<p id="settled" hidden>Settled in transaction <code id="transaction"></code>. <a id="receipt" hidden>Signed receipt</a></p>
</div>
</section>`
}

const signer = (playPath: string | undefined) =>
  playPath ? 'Or a wallet of yours that holds a test key' : 'Your wallet'

/** What is signed for a simulated chain would be good on the real one too: only an empty wallet is safe to try with. */
function notice(site: Site): Html | false {
  const text = noticeOf(site)
  if (text === '') return false
  const keys =
    findPath(site.catalog, 'sandbox.wallets') &&
    html` Funded test keys: <a href="${urlOf(site, 'sandbox.wallets')}">${urlOf(site, 'sandbox.wallets')}</a>.`
  return html`<p class="notice">${text} Never sign here with a wallet that holds real money.${keys}</p>`
}

function contents(product: PaidProduct, params: AnyParams): Html | false {
  const fields = exampleFields(product.example)
  if (fields.length === 0) return false
  const rows = fields.map(({ name, value }) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`)
  return html`<section>
<h2>What you get</h2>
<table><caption>JSON with these fields, as in this example${otherRequest(product, params)}</caption><tbody>
${rows}</tbody></table>
</section>`
}

/** Of what the example is, where something else was asked for: its values would be wrong under another name. */
function otherRequest({ sample }: PaidProduct, params: AnyParams): string {
  const fold = (value: unknown) => String(value).toLowerCase()
  const given = Object.entries<unknown>(sample)
  const isSame = given.every(([name, value]) => fold(params[name]) === fold(value))
  return isSame ? '' : `, which is of ${given.map(([, value]) => String(value)).join(', ')}`
}

function otherWays(site: Site, url: string): Html {
  const quoted = `'${url.replaceAll("'", '%27')}'`
  const code = `${PAYING_CODE}\n\nconst reply = await pay(${quoted})\nconsole.log(reply.status, await reply.json())`
  return html`<section>
<h2>Other ways to pay</h2>
<p>See the price and the terms as JSON; it costs nothing:</p>
<pre tabindex="0"><code>curl -i -H 'X-Demo: off' ${quoted}</code></pre>
<details><summary>Pay from a program with any x402 client</summary>
<pre tabindex="0"><code>${SDK.node}</code></pre>
<pre tabindex="0"><code>${code}</code></pre>
<p>In Python: <code>${SDK.py_generic}</code>. For an agent: <code>${SDK.agentcash_mcp}</code>.</p>
</details>
${freeCalls(site)}
</section>`
}

function freeCalls({ demoCallsPerDay }: Site): Html | false {
  return (
    demoCallsPerDay > 0 &&
    html`<p>${demoCallsPerDay} calls per UTC day are free, over all products together.</p>`
  )
}

const LINKS = {
  'document.quickstart_md': 'Quickstart',
  'document.pricing_md': 'Prices',
  'document.openapi': 'API description',
}

function footer(site: Site): Html {
  const links = Object.entries(LINKS).flatMap(([id, text]) =>
    findPath(site.catalog, id) ? [html`<a href="${urlOf(site, id)}">${text}</a> `] : [],
  )
  return html`<footer>${links}</footer>`
}
