import type { PaidProduct, Route } from '../../catalog/catalog.ts'
import { PaymentParams } from '../../catalog/payment-params.ts'
import { shorten } from '../../core/shorten.ts'
import { isBrowser } from '../../pages/is-browser.ts'
import { renderPaywall } from '../../pages/paywall.ts'
import type { Challenge } from '../../payments/challenge/challenge.ts'
import type { Admission, Purchase } from '../../payments/gate/gate.ts'
import { pickPaymentHeader } from '../../payments/read/payment-header.ts'
import { contentDigestOf, settleResponse } from '../../payments/receipts/settle-response.ts'
import { ageOf } from '../age.ts'
import { JSON_TYPE, NO_STORE } from '../headers.ts'
import type { Reply } from '../reply.ts'
import { paidResourceOf } from '../request/paid-resource.ts'
import { createReadParams, createReadRoute } from '../request/read-params.ts'
import { perTarget } from '../request/target.ts'
import type { Responder, ResponderPorts } from './responder.ts'

const readPaymentParams = createReadParams({ schema: PaymentParams })
const VARY = 'Accept, PAYMENT-SIGNATURE, X-PAYMENT, Authorization, X-Demo'

/** Parse, then the gate: a request that breaks its schema costs nothing, and nothing but the gate reaches the data. */
export function respondPaid(route: Route, product: PaidProduct, ports: ResponderPorts): Responder {
  const { clock, gate, replies, clientKey, usage, site } = ports
  const read = createReadRoute(route, product)
  const links = linkHeader(ports)
  const askedOf = perTarget((target) => ({
    params: read(target.values, target.query),
    steer: readPaymentParams({}, target.query),
    resource: paidResourceOf(target),
  }))
  return async ({ raw, method, target }) => {
    const { params, steer, resource } = askedOf(target)
    const purchase: Purchase = {
      route,
      product,
      client: clientKey(raw),
      resource,
      checkExists: () => replies.checkExists(product, params),
      askPriceOnly: method === 'HEAD' || steer.demo === '0' || raw.headers['x-demo'] === 'off',
      payment: method === 'HEAD' ? undefined : pickPaymentHeader(raw),
      envelopeVersion: steer.x402_version === '1' ? 1 : 2,
      maxAgeMs: steer.max_age === undefined ? undefined : steer.max_age * 1000,
    }
    const admission = await gate.admit(purchase, (paid) => replies.sell(paid, product, params))
    if (admission.kind === 'refused') {
      const { challenge } = admission
      const isPriceAsked = purchase.askPriceOnly
      const told: Told = { links, via: purchase.payment ? 'refused' : 'unpaid' }
      return method === 'GET' && isBrowser(raw.headers.accept, raw.headers['user-agent'])
        ? paymentPage(challenge, told, renderPaywall(challenge, { site, product, params, isPriceAsked }))
        : paymentRequired(challenge, told)
    }
    const atMs = clock.now()
    usage.record({
      atMs,
      productId: product.id,
      via: admission.kind === 'demo' ? 'demo' : 'paid',
      status: 200,
    })
    return delivered(admission, gate.demoLimit, atMs)
  }
}

/** What a 402 says beside its terms: where to read on, and to the log why it was sent. */
type Told = { links: string; via: 'refused' | 'unpaid' }

function paymentRequired({ header, body, bodyBytes }: Challenge, { links, via }: Told): Reply {
  return { status: 402, headers: challengeHeaders(JSON_TYPE, header, links), body, bytes: bodyBytes, via }
}

/** The same 402 for a person: a page that can pay. Its policy takes the place of the one that allows nothing. */
function paymentPage(
  { pageHeader }: Challenge,
  { links, via }: Told,
  page: ReturnType<typeof renderPaywall>,
): Reply {
  const { html, contentSecurityPolicy } = page
  const headers = challengeHeaders('text/html; charset=utf-8', pageHeader, links)
  return { status: 402, headers, body: html, bytes: Buffer.byteLength(html), contentSecurityPolicy, via }
}

function challengeHeaders(type: string, envelope: string, links: string): string[] {
  const headers = ['Content-Type', type, 'Cache-Control', NO_STORE, 'Vary', VARY, 'Link', links]
  return [...headers, 'PAYMENT-REQUIRED', envelope, 'X-Payment-Required', envelope]
}

function delivered(
  admission: Exclude<Admission, { kind: 'refused' }>,
  demoLimit: number,
  nowMs: number,
): Reply {
  const headers = ['Content-Type', JSON_TYPE, 'Cache-Control', NO_STORE, 'Vary', VARY]
  headers.push(
    'X-Demo-Calls-Limit',
    String(demoLimit),
    'X-Demo-Calls-Remaining',
    String(admission.demoRemaining),
  )
  const { text, asOfMs } = admission.reply
  if (asOfMs !== undefined) headers.push('Age', ageOf(asOfMs, nowMs))
  if (admission.kind === 'demo') headers.push('PAYMENT-REQUIRED', admission.challenge.header)
  else headers.push(...settlementHeaders(admission))
  return { status: 200, headers, body: text, bytes: Buffer.byteLength(text), ...paidBy(admission) }
}

/** Who bore the cost, for the log. */
function paidBy(admission: Exclude<Admission, { kind: 'refused' }>): Pick<Reply, 'via' | 'payer'> {
  if (admission.kind === 'demo') return { via: 'demo' }
  return { via: admission.isReplay ? 'replay' : 'paid', payer: shorten(admission.row.payer) }
}

/** How the payment ended, and a digest of the body that the signed receipt is bound to. */
function settlementHeaders({ row, reply, version }: Admission & { kind: 'sold' }): string[] {
  const encoded = Buffer.from(JSON.stringify(settleResponse(row, version))).toString('base64')
  const name = version === 1 ? 'X-PAYMENT-RESPONSE' : 'PAYMENT-RESPONSE'
  return [name, encoded, 'Content-Digest', contentDigestOf(reply.text)]
}

/** Where a machine that met a 402 learns the rest. */
function linkHeader({ site }: ResponderPorts): string {
  const relations: Record<string, string> = {
    'document.openapi': 'service-desc',
    'document.llms': 'describedby',
  }
  return site.catalog.endpoints
    .flatMap(({ id, path }) => (relations[id] ? `<${path}>; rel="${relations[id]}"` : []))
    .join(', ')
}
