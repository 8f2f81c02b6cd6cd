import type { PaidProduct } from '../../catalog/catalog.ts'
import type { Site } from '../../catalog/site.ts'
import { demoTerms, SDK } from '../about.ts'
import { CURRENCY, priceOf } from '../prices/price.ts'

/** What a paid operation says about its price: our own key, and the one that agent directories read. */
export function paymentKeys(site: Site, product: PaidProduct) {
  const { atomic, usdc, human, decimal } = priceOf(product)
  return {
    'x-payments': {
      scheme: 'x402',
      version: 2,
      price: { amount_atomic: atomic, currency: CURRENCY, human: `${human} per call`, usd: usdc },
      accepts: site.payment.accepts(atomic),
      facilitator: site.facilitator,
      demo: demoTerms(site),
      sdk: SDK,
    },
    'x-payment-info': {
      price: { mode: 'fixed', currency: 'USD', amount: decimal },
      protocols: [{ x402: {} }],
    },
  }
}
