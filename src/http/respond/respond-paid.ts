import { findBearer } from '../../access/wallet/wallet-check.ts'
import type { PaidProduct, Route } from '../../catalog/catalog.ts'
import { untilMidnightS } from '../../core/time/until-midnight.ts'
import { PAGE_POLICY } from '../../pages/frame/shell.ts'
import { createPaywall } from '../../pages/paywall/paywall.ts'
import type { Challenge } from '../../payments/challenge/challenge.ts'
import type { Admission, Allowance } from '../../payments/gate/gate.ts'
import { pickPaymentHeader } from '../../payments/read/payment-header.ts'
import { contentDigestOf, settleResponse } from '../../payments/receipts/settle-response.ts'
import { ageOf } from '../age.ts'
import { JSON_TYPE, NO_STORE } from '../headers.ts'
import type { Reply } from '../reply.ts'
import { isForeignPage } from '../request/foreign-page.ts'
import { paidResourceOf } from '../request/paid-resource.ts'
import { createReadRoute } from '../request/read-params.ts'
import { perTarget, type Target } from '../request/target.ts'
import { wantsPage } from '../request/wants-page.ts'
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
  const paywall = createPaywall(site, product)
  const readOf = perTarget((target) => ({
    params: read(target.values, target.query),
    steer: readSteering(target.query),
    resource: paidResourceOf(target),
    freeAt: freeAddressOf(target),
  }))
  return async ({ raw, method, target }) => {
    const { params, steer, resource, freeAt } = readOf(target)
    const buyer: Buyer = {
      ...steer,
      client: clientKey(raw),
      askPriceOnly: steer.askPriceOnly || method === 'HEAD' || raw.headers['x-demo'] === 'off',
      isForeignPage: isForeignPage(raw.headers),
      payment: method === 'HEAD' ? undefined : pickPaymentHeader(raw),
      token: findBearer(raw),
    }
    const admission = await buy({ route, product, params, resource }, buyer)
    if (admission.kind === 'refused') {
      const { challenge, reason: code, demoRemaining: freeCallsLeft } = admission
      const { askPriceOnly: isPriceAsked, isForeignPage } = buyer
      const nowMs = clock.now()
      const told: Told = { links, via: buyer.payment ? 'refused' : 'unpaid', code }
      return method === 'GET' && wantsPage(raw.headers)
        ? paymentPage(
            challenge,
            told,
            paywall(challenge, { params, isPriceAsked, isForeignPage, freeCallsLeft, freeAt, nowMs }),
          )
        : paymentRequired(admission, told, nowMs)
    }
    return delivered(admission, gate.demoLimit, clock.now())
  }
}

/** What a 402 says beside its terms: where to read on, and to the log why it was sent. */
type Told = { links: string } & Required<Pick<Reply, 'via' | 'code'>>

/** Beside the end of an allowance only the shorter envelope has room. */
function paymentRequired(
  { challenge, holder }: Admission & { kind: 'refused' },
  { links, ...why }: Told,
  nowMs: number,
): Reply {
  const { header, pageHeader, body, bodyBytes } = challenge
  const headers = challengeHeaders(JSON_TYPE, holder ? pageHeader : header, links)
  if (holder) headers.push(...allowanceHeaders(holder), 'Retry-After', String(untilMidnightS(nowMs)))
  return { status: 402, headers, body, bytes: bodyBytes, ...why }
}

/** The same 402 for a person: a page that can pay. Its policy takes the place of the one that allows nothing. */
function paymentPage({ pageHeader }: Challenge, { links, ...why }: Told, page: string): Reply {
  const headers = challengeHeaders('text/html; charset=utf-8', pageHeader, links)
  const bytes = Buffer.byteLength(page)
  return { status: 402, headers, body: page, bytes, contentSecurityPolicy: PAGE_POLICY, ...why }
}

/** The same address with a free call, if one is left: all but the param that asks for the price. */
function freeAddressOf({ path, query }: Target): string {
  const other = new URLSearchParams(query)
  other.delete('demo')
  return other.size === 0 ? path : `${path}?${other}`
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
  const sent = admission.kind === 'sold' && { onSent: admission.onSent }
  return { status: 200, headers, body: text, bytes: Buffer.byteLength(text), ...paidBy(admission), ...sent }
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
