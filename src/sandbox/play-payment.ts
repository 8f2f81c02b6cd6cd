import { x402HTTPClient } from '@x402/fetch'
import { ServiceError } from '../core/service-error.ts'
import { openStockWallet } from './stock-wallet.ts'
import type { Wallets } from './wallets.ts'

/** Header text in, header text out: `PAYMENT-REQUIRED` to `PAYMENT-SIGNATURE`. */
export type SignPlayPayment = (paymentRequired: string) => Promise<string>

/** A wallet of its own signs each payment; both are forgotten afterwards. */
export function createSignPlayPayment(wallets: Wallets): SignPlayPayment {
  return async (paymentRequired) => {
    const client = new x402HTTPClient(await openStockWallet(await wallets.fresh()))
    const terms = toTerms(client, paymentRequired)
    const payment = await client.createPaymentPayload(terms).catch((error) => {
      throw unpayable(String(Object(error).message ?? error))
    })
    return Object.values(client.encodePaymentSignatureHeader(payment)).join('')
  }
}

function toTerms(client: x402HTTPClient, header: string) {
  try {
    return client.getPaymentRequiredResponse(() => header)
  } catch {
    throw unpayable('it is not base64 of a 402')
  }
}

const REASON_LIMIT = 200

const unpayable = (reason: string) =>
  new ServiceError(
    'bad_request',
    `a wallet of this service cannot pay that: ${reason.slice(0, REASON_LIMIT)}`,
    {
      hint: 'send the header PAYMENT-REQUIRED of a 402 of this service as it is',
    },
  )
