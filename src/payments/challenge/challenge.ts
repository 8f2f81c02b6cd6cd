import { isPaid, type PaidProduct, type Route } from '../../catalog/catalog.ts'
import type { PaymentTerms, Requirement } from '../../catalog/payment-terms.ts'
import { isPlayMoney, type Mode } from '../../config/variables/variable.ts'
import { toAtomic } from '../../core/money.ts'
import { createRepeatCache } from '../../core/repeat-cache.ts'
import { SERVICE } from '../../core/service.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type RefusalReason, sentenceOf } from '../gate/refusal.ts'
import { OFFER_RECEIPT, OFFER_RENEW_MS, type Offers } from '../receipts/offers.ts'
import { bazaarOf } from './bazaar.ts'
import { encodeHeader, MIME_TYPE, type Terms } from './header-envelope.ts'
import { IDENTIFIER_WHOLE } from './payment-identifier.ts'
import { V1_NAMES } from './terms.ts'

/** A 402 ready to be sent. */
export type Challenge = {
  /** The v2 envelope in base64, short enough for every proxy; `pageHeader` is shorter still. */
  header: string
  pageHeader: string
  /** Everything there is to say, in the version that was asked for. */
  body: string
  bodyBytes: number
  madeAtMs: number
}
export type Challenges = {
  /** `resource` is path and query as the caller sent them, without the params that control payment. */
  challenge(route: Route, resource: string, version: 1 | 2, reason?: RefusalReason): Challenge
}
type Ports = { mode: Mode; baseUrl: string; payment: PaymentTerms; offers: Offers; clock: Clock }

const REMEMBERED = 2_000
type Remembered = { challenge: Challenge; accepts: readonly Requirement[] }

/**
 * An envelope depends on the address, on the terms and on signed offers that stay valid for a while, so it is built
 * once and reused. Terms that changed, such as a fee payer whose facilitator failed, are told at once.
 */
export function createChallenges(ports: Ports): Challenges {
  const remembered = createRepeatCache<string, Remembered>({ capacity: REMEMBERED })
  return {
    challenge(route, resource, version, reason = 'payment_required') {
      const product = route.endpoint
      if (!isPaid(product)) throw new Error(`${product.id} is not for sale`)
      const accepts = ports.payment.offers(toAtomic(product.access.price))
      const key = `${version}${reason}${resource}`
      const known = remembered.get(key)
      if (known?.accepts === accepts && ports.clock.now() - known.challenge.madeAtMs < OFFER_RENEW_MS)
        return known.challenge
      const { serviceName, description } = wordsOf(product, ports.mode)
      const terms = {
        route,
        product,
        serviceName,
        url: `${ports.baseUrl}${resource}`,
        error: reason,
        accepts,
      }
      const challenge = build(ports, terms, description, version)
      remembered.set(key, { challenge, accepts })
      return challenge
    },
  }
}

function build(ports: Ports, terms: Terms, description: string, version: 1 | 2): Challenge {
  const body = version === 2 ? toV2(terms, description, ports.offers) : toV1(terms, description)
  return toChallenge(terms, JSON.stringify(body), ports.clock.now())
}

function toChallenge(terms: Terms, body: string, madeAtMs: number): Challenge {
  return {
    header: encodeHeader(terms, 'data'),
    pageHeader: encodeHeader(terms, 'page'),
    body,
    bodyBytes: Buffer.byteLength(body),
    madeAtMs,
  }
}

/** The same 402 in words for one payment: not remembered, so that payments add nothing to what is. Version 1 has no detail. */
export function withDetail(challenge: Challenge, detail: string): Challenge {
  const said = JSON.parse(challenge.body)
  if (said.detail === undefined) return challenge
  const body = JSON.stringify({ ...said, detail })
  return { ...challenge, body, bodyBytes: Buffer.byteLength(body) }
}

/** Who pays is told what the money is worth, in the words that clients show. */
export function wordsOf({ description }: PaidProduct, mode: Mode) {
  const { name } = SERVICE
  return isPlayMoney(mode)
    ? { description: `Play money, worth nothing. ${description}`, serviceName: `${name} (play money)` }
    : { description, serviceName: name }
}

function toV2(terms: Terms, description: string, offers: Offers) {
  const { route, product, serviceName, url, error, accepts } = terms
  return {
    x402Version: 2,
    error,
    detail: sentenceOf(error),
    resource: {
      url,
      description,
      mimeType: MIME_TYPE,
      serviceName,
      tags: [product.tag],
    },
    accepts,
    extensions: {
      bazaar: bazaarOf(route, product).whole,
      [OFFER_RECEIPT]: offers.extension(url, accepts),
      ...IDENTIFIER_WHOLE,
    },
  }
}

/** Stock v1 clients read only the body, and reject all of it when one entry is not v1. */
function toV1({ product, url, error, accepts }: Terms, description: string) {
  return {
    x402Version: 1,
    error,
    accepts: accepts.map(({ network, amount, ...rest }) => ({
      ...rest,
      network: V1_NAMES.get(network),
      maxAmountRequired: amount,
      resource: url,
      description,
      mimeType: MIME_TYPE,
      outputSchema: { input: { type: 'http', method: product.method }, output: { example: product.example } },
    })),
  }
}
