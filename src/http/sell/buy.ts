import type { AnyProduct, PaidProduct, Route } from '../../catalog/catalog.ts'
import type { Replies } from '../../catalog/encoded-reply.ts'
import type { AnyParams } from '../../catalog/endpoints/endpoint.ts'
import type { Admission, Gate, Purchase } from '../../payments/gate/gate.ts'

/** What a GET of one address means. The resource is what a payment is bound to, whatever surface it comes through. */
export type Asked<P extends AnyProduct = AnyProduct> = {
  route: Route
  product: P
  params: AnyParams
  resource: string
}

/** Who buys, and how. */
export type Buyer = Pick<
  Purchase,
  'client' | 'askPriceOnly' | 'isForeignPage' | 'payment' | 'token' | 'envelopeVersion' | 'maxAgeMs'
>
export type Buy = (asked: Asked<PaidProduct>, buyer: Buyer) => Promise<Admission>

/** The one way from a surface to the gate. */
export function createBuy({ gate, replies }: { gate: Gate; replies: Replies }): Buy {
  return ({ route, product, params, resource }, buyer) =>
    gate.admit(
      {
        ...{ ...buyer, route, product, resource },
        checkExists: (mayLook) => replies.checkExists(product, params, mayLook),
      },
      (paid) => replies.sell(paid, product, params),
    )
}
