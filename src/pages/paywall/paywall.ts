import type { PaidProduct } from '../../catalog/catalog.ts'
import type { AnyParams } from '../../catalog/endpoints/endpoint.ts'
import type { Requirement } from '../../catalog/payment-terms.ts'
import type { Site } from '../../catalog/site.ts'
import { chainName, noticeOf } from '../../discovery/about.ts'
import { findPath } from '../../discovery/address.ts'
import { CURRENCY, priceOf } from '../../discovery/prices/price.ts'
import type { Challenge } from '../../payments/challenge/challenge.ts'
import { EVM_NETWORK } from '../../payments/challenge/terms.ts'
import { REFUSALS, type RefusalReason } from '../../payments/gate/refusal.ts'
import { dataBlock, type Html, html } from '../frame/html.ts'
import { inShell } from '../frame/shell.ts'
import { createAskedWords } from './asked-words.ts'
import { exampleBox } from './example-box.ts'
import { freeCallsPart } from './free-calls-part.ts'
import { otherWays } from './other-ways.ts'
import { afterwards, payPart, type Ways } from './pay-part.ts'
import { saleTerms } from './sale-terms.ts'

/** Who sees the page, and why. */
export type Visit = {
  params: AnyParams
  /** The caller wanted to see the price, whether or not a free call was left. */
  isPriceAsked: boolean
  /** Another site led here, so that no free call was used. */
  isForeignPage?: boolean | undefined
  /** How many free calls the visitor has left, and the address that uses one. */
  freeCallsLeft: number
  freeAt: string
  nowMs: number
}
export type RenderPaywall = (challenge: Pick<Challenge, 'header'>, visit: Visit) => string

type Envelope = {
  error: RefusalReason
  resource: { url: string }
  accepts: readonly Requirement[]
  extensions?: unknown
}

/** Where a transaction of Base can be looked up; those of play money are on chains of our own. */
const EXPLORER = 'https://basescan.org/tx/'

/**
 * What a browser sees of a 402. The envelope is read from the header, which is v2 whatever version the body has.
 * Nowhere in the text stands an address to send money to: agents that read pages must not find one in prose.
 */
export function createPaywall(site: Site, product: PaidProduct): RenderPaywall {
  const { human: price } = priceOf(product)
  const askedWords = createAskedWords(product)
  const example = exampleBox(product, askedWords)
  const sale = saleTerms(site, product)
  return ({ header }, visit) => {
    const envelope = JSON.parse(Buffer.from(header, 'base64').toString()) as Envelope
    const { title, quoted } = askedWords(visit.params)
    const lead = product.brings ?? product.description
    const ways = waysToPay(site, envelope)
    const hasScript = ways !== undefined || visit.freeCallsLeft > 0
    const main = html`<h1>${title}</h1>
<p class="lead">${lead}</p>
${quoted.length > 0 && html`<p class="small">You asked for ${quoted.map((words) => `“${words}”`).join(', ')}.</p>`}
<p class="price"><b>${price}</b> per call, in ${CURRENCY} on ${chainsOf(envelope)}. No account, no key.</p>
<div class="halves">
<section class="card" id="get" aria-labelledby="get-title">
<h2 id="get-title" tabindex="-1">Get this reply</h2>
<div id="offers">
${reasonOf(envelope.error, visit)}
${freeCallsPart(site, visit)}
${ways && payPart(site, ways, price)}
</div>
<p id="status" role="status"></p>
<p id="progress" class="small"></p>
<div id="result" class="reply" hidden></div>
${ways && afterwards}
</section>
${example(title)}
</div>
${sale(chainsOf(envelope))}
${otherWays(envelope.resource.url)}
${hasScript && dataBlock('terms', JSON.stringify(termsOf(site, envelope, price, visit.nowMs)))}`
    return inShell(site, {
      path: product.path,
      title: `${price}: ${title}`,
      description: lead,
      main,
      scripts: hasScript ? ['pay/paywall.js'] : [],
      isPrivate: true,
    })
  }
}

const chainsOf = ({ accepts }: Envelope) => accepts.map(({ network }) => chainName(network)).join(' or ')

function waysToPay({ catalog }: Site, { accepts }: Envelope): Ways | undefined {
  const wallet = accepts.some(({ scheme, network }) => scheme === 'exact' && network === EVM_NETWORK)
  const playPath = accepts.length > 0 ? findPath(catalog, 'sandbox.payment') : undefined
  return wallet || playPath ? { wallet, playPath } : undefined
}

/** What the script pays: all that an x402 payment echoes, and where to see afterwards what became of it. */
function termsOf(site: Site, { resource, accepts, extensions }: Envelope, price: string, servedAtMs: number) {
  return {
    required: { x402Version: 2, resource, accepts, extensions },
    price,
    servedAtMs,
    receipts: findPath(site.catalog, 'payments.receipt'),
    explorer: noticeOf(site) === '' ? EXPLORER : undefined,
  }
}

/** Why there is a page in place of the reply, where the free calls do not say it. */
function reasonOf(error: RefusalReason, { isPriceAsked, isForeignPage, freeCallsLeft }: Visit): Html | false {
  if (error === 'allowance_used')
    return html`<p class="why">You see this page because ${REFUSALS[error]}.</p>`
  if (error !== 'payment_required')
    return html`<p class="why">Your payment was refused and nothing was charged: ${REFUSALS[error]}.</p>`
  if (isPriceAsked) return html`<p class="why">You asked for the price, so no free call was used.</p>`
  return (
    isForeignPage === true &&
    freeCallsLeft > 0 &&
    html`<p class="why">Another site led you here, so no free call was used.</p>`
  )
}
