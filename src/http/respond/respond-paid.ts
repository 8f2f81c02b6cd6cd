import { findBearer } from '../../access/wallet/wallet-check.ts'
import type { PaidProduct, Route } from '../../catalog/catalog.ts'
import { untilMidnightS } from '../../core/time/until-midnight.ts'
import { isBrowser } from '../../pages/is-browser.ts'
import { renderPaywall } from '../../pages/paywall.ts'
import type { Challenge } from '../../payments/challenge/challenge.ts'
import type { Admission, Allowance } from '../../payments/gate/gate.ts'
import { pickPaymentHeader } from '../../payments/read/payment-header.ts'
import { contentDigestOf, settleResponse } from '../../payments/receipts/settle-response.ts'
import { ageOf } from '../age.ts'
import { JSON_TYPE, NO_STORE } from '../headers.ts'
import type { Reply } from '../reply.ts'
import { paidResourceOf } from '../request/paid-resource.ts'
import { createReadRoute } from '../request/read-params.ts'
import { perTarget } from '../request/target.ts'
import { type Buyer, createBuy } from '../sell/buy.ts'
import { paidBy } from '../sell/paid-by.ts'
import { readSteering } from '../sell/steering.ts'
import type { Responder, ResponderPorts } from './responder.ts'

const VARY = 'Accept, PAYMENT-SIGNATURE, X-PAYMENT, Authorization, X-Demo'

/** Parse, then the gate: a request that breaks its schema costs nothing, and nothing but the gate reaches the data. */
export function respondPaid(route: Route, product: PaidProduct, ports: ResponderPorts): Responder {
  const { clock, gate, clientKey, site } = ports
  const buy = createBuy(ports)
  const read = createReadRoute(route, product)
  const links = linkHeader(ports)
  const readOf = perTarget((target) => ({
    params: read(target.values, target.query),
    steer: readSteering(target.query),
    resource: paidResourceOf(target),
  }))
  return async ({ raw, method, target }) => {
    const { params, steer, resource } = readOf(target)
    const buyer: Buyer = {
      ...steer,
      client: clientKey(raw),
      askPriceOnly: steer.askPriceOnly || method === 'HEAD' || raw.headers['x-demo'] === 'off',
      payment: method === 'HEAD' ? undefined : pickPaymentHeader(raw),
      token: findBearer(raw),
    }
    const admission = await buy({ route, product, params, resource }, buyer)
    if (admission.kind === 'refused') {
      const { challenge } = admission
      const isPriceAsked = buyer.askPriceOnly
      const told: Told = { links, via: buyer.payment ? 'refused' : 'unpaid' }
      return method === 'GET' && isBrowser(raw.headers.accept, raw.headers['user-agent'])
        ? paymentPage(challenge, told, renderPaywall(challenge, { site, product, params, isPriceAsked }))
        : paymentRequired(admission, told, clock.now())
    }
    return delivered(admission, gate.demoLimit, clock.now())
  }
}

/** What a 402 says beside its terms: where to read on, and to the log why it was sent. */
type Told = { links: string; via: 'refused' | 'unpaid' }

/** Beside the end of an allowance only the shorter envelope has room. */
function paymentRequired(
  { challenge, holder }: Admission & { kind: 'refused' },
  { links, via }: Told,
  nowMs: number,
): Reply {
  const { header, pageHeader, body, bodyBytes } = challenge
  const headers = challengeHeaders(JSON_TYPE, holder ? pageHeader : header, links)
  if (holder) headers.push(...allowanceHeaders(holder), 'Retry-After', String(untilMidnightS(nowMs)))
  return { status: 402, headers, body, bytes: bodyBytes, via }
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
  if (admission.kind === 'sold') headers.push(...settlementHeaders(admission))
  else if (admission.holder) headers.push(...allowanceHeaders(admission.holder))
  return { status: 200, headers, body: text, bytes: Buffer.byteLength(text), ...paidBy(admission) }
}

/** Exposed here and not with the others, which every 402 names too: its headers have no room left. */
const allowanceHeaders = ({ limit, remaining }: Allowance): string[] => [
  'Access-Control-Expose-Headers',
  'X-Holder-Calls-Limit, X-Holder-Calls-Remaining',
  'X-Holder-Calls-Limit',
  String(limit),
  'X-Holder-Calls-Remaining',
  String(remaining),
]

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
