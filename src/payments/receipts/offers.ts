import type { Requirement } from '../../catalog/payment-terms.ts'
import type { Mode } from '../../config/variables/variable.ts'
import type { Clock } from '../../core/time/clock.ts'
import { signJws } from './jws.ts'
import type { ServiceKey } from './service-key.ts'

/** The x402 `offer-receipt` extension, version 1: a buyer can prove what was asked for, and later what was paid. */
export const OFFER_RECEIPT = 'offer-receipt'
export const OFFER_RECEIPT_VERSION = 1

/** A challenge is reused for this long; then it gets new offers. */
export const OFFER_RENEW_MS = 60_000

/** The SDK's shape, without its schema of 700 characters. */
export type OfferExtension = {
  info: { offers: readonly SignedOffer[] }
  schema: { type: 'object'; required: readonly string[] }
}
type SignedOffer = { format: 'jws'; acceptIndex: number; signature: string }

export type Offers = {
  /** One offer per way to pay; undefined where there is none. They stand in the body of a 402: no header has room. */
  extension(resourceUrl: string, accepts: readonly Requirement[]): OfferExtension | undefined
}

type Ports = { key: ServiceKey; clock: Clock; mode: Mode }

/** An offer stays valid, after its challenge is renewed, for the whole time that a payer may take. */
export function createOffers({ key, clock, mode }: Ports): Offers {
  return {
    extension(resourceUrl, accepts) {
      const nowMs = clock.now()
      const offers = accepts.map((requirement, acceptIndex): SignedOffer => {
        const signature = signJws(key, { ...offerOf(resourceUrl, requirement, nowMs), mode })
        return { format: 'jws', acceptIndex, signature }
      })
      if (offers.length === 0) return undefined
      return { info: { offers }, schema: { type: 'object', required: ['offers'] } }
    },
  }
}

function offerOf(resourceUrl: string, requirement: Requirement, nowMs: number) {
  const { scheme, network, asset, payTo, amount, maxTimeoutSeconds } = requirement
  const validUntil = Math.ceil((nowMs + OFFER_RENEW_MS) / 1000) + maxTimeoutSeconds
  return { version: OFFER_RECEIPT_VERSION, resourceUrl, scheme, network, asset, payTo, amount, validUntil }
}
