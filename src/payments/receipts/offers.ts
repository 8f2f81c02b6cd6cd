import type { Requirement } from '../../catalog/payment-terms.ts'
import type { Clock } from '../../core/time/clock.ts'
import { signJws } from './jws.ts'
import type { ServiceKey } from './service-key.ts'

/** The x402 `offer-receipt` extension, version 1: a buyer can prove what was asked for, and later what was paid. */
export const OFFER_RECEIPT = 'offer-receipt'
export const OFFER_RECEIPT_VERSION = 1

/** A challenge is reused for this long; then it gets new offers. */
export const OFFER_RENEW_MS = 60_000
/** Directories and proxies refuse larger challenges: nginx reads 4 KB, one facilitator refused 3.5 KB of JSON. */
export const CHALLENGE_HEADER_LIMIT = 4_096

/** The SDK's shape; its own schema of 700 characters would not fit into the header. */
export type OfferExtension = {
  info: { offers: readonly SignedOffer[] }
  schema: { type: 'object'; required: readonly string[] }
}
type SignedOffer = { format: 'jws'; acceptIndex: number; signature: string }

export type Offers = {
  /**
   * One offer per way to pay, as many as fit into `room`, the characters that the envelope's JSON may still grow by.
   * Undefined when not even the first one fits.
   */
  extension(resourceUrl: string, accepts: readonly Requirement[], room?: number): OfferExtension | undefined
}

/** How much the JSON of an envelope may still grow before its base64 exceeds the limit. */
export function roomBeside(envelopeJson: string): number {
  return Math.floor((CHALLENGE_HEADER_LIMIT - 1) / 4) * 3 - Buffer.byteLength(envelopeJson)
}

/** An offer stays valid, after its challenge is renewed, for the whole time that a payer may take. */
export function createOffers({ key, clock }: { key: ServiceKey; clock: Clock }): Offers {
  return {
    extension(resourceUrl, accepts, room = Number.POSITIVE_INFINITY) {
      const nowMs = clock.now()
      const offers: SignedOffer[] = []
      for (const [acceptIndex, requirement] of accepts.entries()) {
        const signature = signJws(key, offerOf(resourceUrl, requirement, nowMs))
        const grown = toExtension([...offers, { format: 'jws', acceptIndex, signature }])
        if (FRAME + JSON.stringify(grown).length > room) break
        offers.push({ format: 'jws', acceptIndex, signature })
      }
      return offers.length === 0 ? undefined : toExtension(offers)
    },
  }
}

/** The characters around the extension: its name, quotes, colon and comma. */
const FRAME = OFFER_RECEIPT.length + 4

const toExtension = (offers: readonly SignedOffer[]): OfferExtension => ({
  info: { offers },
  schema: { type: 'object', required: ['offers'] },
})

function offerOf(resourceUrl: string, requirement: Requirement, nowMs: number) {
  const { scheme, network, asset, payTo, amount, maxTimeoutSeconds } = requirement
  const validUntil = Math.ceil((nowMs + OFFER_RENEW_MS) / 1000) + maxTimeoutSeconds
  return { version: OFFER_RECEIPT_VERSION, resourceUrl, scheme, network, asset, payTo, amount, validUntil }
}
