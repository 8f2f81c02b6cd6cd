import type { AnyProduct, PaidProduct, Route } from '../../catalog/catalog.ts'
import type { Replies } from '../../catalog/encoded-reply.ts'
import type { AnyParams } from '../../catalog/endpoints/endpoint.ts'
import type { Clock } from '../../core/time/clock.ts'
import { withDetail } from '../../payments/challenge/challenge.ts'
import type { Admission, Gate, Purchase } from '../../payments/gate/gate.ts'
import { explainRefusal } from '../../payments/read/explain-refusal.ts'

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
export function createBuy({ gate, replies, clock }: { gate: Gate; replies: Replies; clock: Clock }): Buy {
  return async ({ route, product, params, resource }, buyer) => {
    const admission = await gate.admit(
      {
        ...{ ...buyer, route, product, resource },
        checkExists: (mayLook) => replies.checkExists(product, params, mayLook),
      },
      (paid) => replies.sell(paid, product, params),
    )
    return admission.kind === 'refused' ? explained(admission, buyer, clock.now()) : admission
  }
}

function explained(refused: Admission & { kind: 'refused' }, { payment }: Buyer, nowMs: number): Admission {
  const { challenge, reason } = refused
  const detail = payment && reason && explainRefusal(payment, reason, nowMs)
  return detail ? { ...refused, challenge: withDetail(challenge, detail) } : refused
}
