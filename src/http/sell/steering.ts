import { PaymentParams } from '../../catalog/payment-params.ts'
import { createReadParams } from '../request/read-params.ts'
import type { Buyer } from './buy.ts'

const readPaymentParams = createReadParams({ schema: PaymentParams })

/** How the query of a paid address wants its payment handled. */
export function readSteering(
  query: URLSearchParams | undefined,
): Pick<Buyer, 'askPriceOnly' | 'envelopeVersion' | 'maxAgeMs'> {
  const { demo, x402_version, max_age } = readPaymentParams({}, query)
  return {
    askPriceOnly: demo === '0',
    envelopeVersion: x402_version === '1' ? 1 : 2,
    maxAgeMs: max_age === undefined ? undefined : max_age * 1000,
  }
}
