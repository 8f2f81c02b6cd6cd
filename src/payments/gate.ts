import type { PaidProduct, Route } from '../catalog/catalog.ts'
import type { EncodedReply } from '../catalog/encoded-reply.ts'
import type { Clock } from '../core/clock.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Challenge, Challenges } from './challenge.ts'
import { requireFresh } from './freshness.ts'

/** Free calls. A call is taken before the work, spent durably before the reply leaves, given back when the work fails. */
export type DemoBudget = {
  limit: number
  remaining(client: string): number
  take(client: string): DemoCall | undefined
}
export type DemoCall = { remaining: number; spend(): Promise<void>; giveBack(): void }

/** A request for a paid product, as any surface puts it. */
export type Purchase = {
  route: Route
  product: PaidProduct
  client: string
  /** Path and query, without the params that steer payment. */
  resource: string
  /** The caller only asks what it would cost: HEAD, `demo=0`, `X-Demo: off`. */
  askPriceOnly: boolean
  hasPayment: boolean
  envelopeVersion: 1 | 2
  maxAgeMs: number | undefined
}

export type Admission =
  | { kind: 'refused'; challenge: Challenge }
  | { kind: 'granted'; via: 'demo'; reply: EncodedReply; demoRemaining: number; challenge: Challenge }

export type Gate = {
  demoLimit: number
  /** The only way to a paid product's data. `work` runs after access is granted and before anything is spent. */
  admit(purchase: Purchase, work: () => EncodedReply | Promise<EncodedReply>): Promise<Admission>
}

export function createGate(ports: { clock: Clock; challenges: Challenges; demo: DemoBudget }): Gate {
  const { clock, challenges, demo } = ports
  return {
    demoLimit: demo.limit,
    async admit(purchase, work) {
      const { route, resource, envelopeVersion } = purchase
      const challenge = challenges.challenge(route, resource, envelopeVersion)
      if (purchase.askPriceOnly) return { kind: 'refused', challenge }
      if (purchase.hasPayment) throw paymentsUnavailable()
      const call = demo.take(purchase.client)
      if (!call) return { kind: 'refused', challenge }
      try {
        const reply = await work()
        requireFresh(purchase.product, reply, clock.now(), purchase.maxAgeMs)
        await call.spend()
        return { kind: 'granted', via: 'demo', reply, demoRemaining: call.remaining, challenge }
      } catch (error) {
        call.giveBack()
        throw error
      }
    },
  }
}

function paymentsUnavailable(): ServiceError {
  return new ServiceError(
    'payments_unavailable',
    'this release cannot settle payments yet; nothing was charged',
    {
      hint: 'call without a payment header to use the free daily calls',
      retryAfterS: 3600,
    },
  )
}
