import type { PaidProduct, Route } from '../../catalog/catalog.ts'
import type { EncodedReply } from '../../catalog/encoded-reply.ts'
import type { PaidMint } from '../../catalog/paid.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { PaymentRow, StoredReply } from '../../ledger/ports/payment-book.ts'
import type { Challenge, Challenges } from '../challenge/challenge.ts'
import type { PaymentHeader, ReadPayment } from '../read/read-payment.ts'
import { makeFreshReply, type Work } from './fresh-reply.ts'
import type { RefusalReason } from './refusal.ts'
import type { Sell } from './sell.ts'

/** Demo calls. One is taken before the work, spent durably before the reply is sent, and given back if the work fails. */
export type DemoBudget = {
  limit: number
  remaining(client: string): number
  take(client: string): DemoCall | undefined
}
export type DemoCall = { remaining: number; spend(): Promise<void>; giveBack(): void }

/** A request for a paid product, the same from every surface. */
export type Purchase = {
  route: Route
  product: PaidProduct
  client: string
  /** Path and query, without the params that control payment. */
  resource: string
  /** Throws where the request names something that we do not have. */
  checkExists: () => void | Promise<void>
  /** The caller only asks for the price: HEAD, `demo=0`, `X-Demo: off`. */
  askPriceOnly: boolean
  payment: PaymentHeader | undefined
  envelopeVersion: 1 | 2
  maxAgeMs: number | undefined
}

export type Admission =
  | { kind: 'refused'; challenge: Challenge }
  | { kind: 'demo'; reply: EncodedReply; demoRemaining: number; challenge: Challenge }
  | {
      kind: 'sold'
      reply: StoredReply
      row: PaymentRow
      version: 1 | 2
      isReplay: boolean
      demoRemaining: number
    }

export type Gate = {
  demoLimit: number
  /** The only way to a paid product's data. */
  admit(purchase: Purchase, work: Work): Promise<Admission>
}

export type GatePorts = {
  clock: Clock
  mint: PaidMint['mint']
  challenges: Challenges
  demo: DemoBudget
  readPayment: ReadPayment
  sell: Sell
}

export function createGate(ports: GatePorts): Gate {
  const { challenges, demo } = ports
  return {
    demoLimit: demo.limit,
    async admit(purchase, work) {
      const missing = await findMissing(purchase)
      const refused = (reason?: RefusalReason): Admission => {
        if (missing) throw missing
        const { route, resource, envelopeVersion } = purchase
        return { kind: 'refused', challenge: challenges.challenge(route, resource, envelopeVersion, reason) }
      }
      if (purchase.payment) return admitPayer(ports, purchase, purchase.payment, { work, refused, missing })
      if (missing || purchase.askPriceOnly) return refused()
      return (await admitGuest(ports, purchase, work)) ?? refused()
    },
  }
}

/** Nobody is asked to sign for what does not exist, whatever the request carries. */
async function findMissing({ checkExists }: Purchase): Promise<ServiceError | undefined> {
  try {
    await checkExists()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

type Payable = {
  work: Work
  refused: (reason: RefusalReason) => Admission
  missing: ServiceError | undefined
}

async function admitPayer(
  ports: GatePorts,
  purchase: Purchase,
  header: PaymentHeader,
  { work, refused, missing }: Payable,
): Promise<Admission> {
  const { product, route, resource, client } = purchase
  const read = await ports.readPayment(header, product)
  if ('reason' in read) return refused(read.reason)
  const offer = {
    productId: product.id,
    request: `${route.method} ${resource}`,
    work: () => makeFreshReply(ports, product, work, purchase.maxAgeMs),
  }
  // What was bought while it existed still belongs to its buyer: a problem lets only a stored reply through.
  const problem = read.problem ?? (missing && 'payment_refused')
  const sale = await ports.sell(read.payment, offer, problem)
  if (sale.kind === 'refused') return refused(sale.reason)
  const { row, reply, isReplay } = sale
  const demoRemaining = ports.demo.remaining(client)
  return { kind: 'sold', row, reply, isReplay, version: header.version, demoRemaining }
}

async function admitGuest(ports: GatePorts, purchase: Purchase, work: Work): Promise<Admission | undefined> {
  const { demo, challenges } = ports
  const call = demo.take(purchase.client)
  if (!call) return undefined
  try {
    const reply = await makeFreshReply(ports, purchase.product, work, purchase.maxAgeMs)
    await call.spend()
    const challenge = challenges.challenge(purchase.route, purchase.resource, purchase.envelopeVersion)
    return { kind: 'demo', reply, demoRemaining: call.remaining, challenge }
  } catch (error) {
    call.giveBack()
    throw error
  }
}
