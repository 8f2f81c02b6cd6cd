import type { PaidProduct, Route } from '../catalog/catalog.ts'
import { pathNames } from '../catalog/path.ts'
import { PAYMENT_PARAM_NAMES, PaymentParams } from '../catalog/payment-params.ts'
import type { Challenge } from '../payments/challenge.ts'
import type { Admission, Purchase } from '../payments/gate.ts'
import { ageOf } from './age.ts'
import { JSON_TYPE, NO_STORE } from './headers.ts'
import type { Incoming } from './incoming.ts'
import { createReadParams } from './read-params.ts'
import type { Reply } from './reply.ts'
import type { Responder, ResponderPorts } from './responders.ts'
import { perTarget, type Target } from './target.ts'

const readPaymentParams = createReadParams({ schema: PaymentParams })
const VARY = 'PAYMENT-SIGNATURE, X-PAYMENT, Authorization, X-Demo'

/** Parse, then the gate: a request that breaks its schema costs nothing, and nothing but the gate reaches the data. */
export function respondPaid(route: Route, product: PaidProduct, ports: ResponderPorts): Responder {
  const { clock, gate, replies, clientKey } = ports
  const read = createReadParams({
    schema: product.params,
    inPath: pathNames(route.path),
    preset: route.preset,
  })
  const links = linkHeader(ports)

  const askedOf = perTarget((target) => ({
    params: read(target.values, target.query),
    steer: readPaymentParams({}, target.query),
    resource: resourceOf(target),
  }))
  return async (incoming) => {
    const { params, steer, resource } = askedOf(incoming.target)
    const purchase: Purchase = {
      route,
      product,
      client: clientKey(incoming.raw),
      resource,
      askPriceOnly:
        incoming.method === 'HEAD' || steer.demo === '0' || incoming.raw.headers['x-demo'] === 'off',
      hasPayment: hasPayment(incoming),
      envelopeVersion: steer.x402_version === '1' ? 1 : 2,
      maxAgeMs: steer.max_age === undefined ? undefined : steer.max_age * 1000,
    }
    const admission = await gate.admit(purchase, () => replies.reply(product, params))
    return admission.kind === 'refused'
      ? paymentRequired(admission.challenge, links)
      : delivered(admission, gate.demoLimit, clock.now())
  }
}

function hasPayment({ raw }: Incoming): boolean {
  return raw.headers['payment-signature'] !== undefined || raw.headers['x-payment'] !== undefined
}

function paymentRequired({ header, body, bodyBytes }: Challenge, links: string): Reply {
  const headers = ['Content-Type', JSON_TYPE, 'Cache-Control', NO_STORE, 'Vary', VARY, 'Link', links]
  headers.push('PAYMENT-REQUIRED', header, 'X-Payment-Required', header)
  return { status: 402, headers, body, bytes: bodyBytes }
}

function delivered(admission: Admission & { kind: 'granted' }, demoLimit: number, nowMs: number): Reply {
  const { reply, challenge, demoRemaining } = admission
  const headers = ['Content-Type', JSON_TYPE, 'Cache-Control', NO_STORE, 'Vary', VARY]
  headers.push('X-Demo-Calls-Limit', String(demoLimit), 'X-Demo-Calls-Remaining', String(demoRemaining))
  headers.push('PAYMENT-REQUIRED', challenge.header)
  if (reply.asOfMs !== undefined) headers.push('Age', ageOf(reply.asOfMs, nowMs))
  return { status: 200, headers, body: reply.text, bytes: reply.bytes }
}

/** The address that is paid for: what the caller asked, without the params that only steer the payment. */
function resourceOf({ path, query }: Target): string {
  if (query === undefined) return path
  const own = new URLSearchParams(query)
  for (const name of PAYMENT_PARAM_NAMES) own.delete(name)
  return own.size === 0 ? path : `${path}?${own}`
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
