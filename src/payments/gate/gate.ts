import type { PaidProduct, Route } from '../../catalog/catalog.ts'
import type { EncodedReply } from '../../catalog/encoded-reply.ts'
import type { PaidMint } from '../../catalog/paid.ts'
import type { RateCounters } from '../../catalog/rate-limit.ts'
import type { MayLook } from '../../core/may-look.ts'
import type { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { PaymentRow, StoredReply } from '../../ledger/ports/payment-book.ts'
import type { Challenge, Challenges } from '../challenge/challenge.ts'
import type { PaymentHeader, ReadPayment } from '../read/read-payment.ts'
import type { Bounds } from './bounds/bounds.ts'
import { findMissing } from './find-missing.ts'
import { createIsFresh, makeFreshReply, type Work } from './fresh-reply.ts'
import type { HandedOut } from './handed-out.ts'
import { createLooks, type Looks } from './looks.ts'
import type { RefusalReason } from './refusal.ts'

/** Demo calls. One is taken durably before the work, and given back if the work fails. */
export type DemoBudget = {
  limit: number
  /** Never rejects: a reply that was paid for is not lost for it. */
  remaining(client: string): Promise<number>
  take(client: string): Promise<DemoCall | undefined>
}
/** Giving back never rejects. */
export type DemoCall = { remaining: number; giveBack(): Promise<void> }

/** Wallets with an allowance of calls, by the token that they bring. */
export type Holders = {
  /** Throws `unauthorized` for a token that is not good. */
  identify(token: string): Promise<Holder>
}
/** A call of a holder is counted like a demo call. */
export type Holder = { wallet: string; limit: number; take(): Promise<DemoCall | undefined> }

/** A request for a paid product, the same from every surface. */
export type Purchase = {
  route: Route
  product: PaidProduct
  client: string
  /** Path and query, without the params that control payment. */
  resource: string
  /** Throws where the request names something that we do not have, or that may not be looked up now. */
  checkExists: (mayLook: MayLook) => void | Promise<void>
  /** The caller only asks for the price: HEAD, `demo=0`, `X-Demo: off`. */
  askPriceOnly: boolean
  /** A page of another site sent it: the free calls of its visitor are not its own to use. */
  isForeignPage?: boolean
  payment: PaymentHeader | undefined
  /** A holder's token, as the request brought it; a payment comes before it. */
  token?: string | undefined
  envelopeVersion: 1 | 2
  maxAgeMs: number | undefined
}

/** What a holder may call, and how much of it is left today. */
export type Allowance = Pick<Holder, 'wallet' | 'limit'> & { remaining: number }

export type Admission =
  /** With the allowance of a holder who has used it up. */
  | {
      kind: 'refused'
      challenge: Challenge
      /** Of the payment; absent where there was none. */
      reason?: RefusalReason | undefined
      demoRemaining: number
      holder?: Allowance | undefined
    }
  | {
      kind: 'demo'
      reply: EncodedReply
      demoRemaining: number
      challenge: Challenge
      holder?: Allowance | undefined
    }
  | {
      kind: 'holder'
      reply: EncodedReply
      holder: Allowance
      demoRemaining: number
    }
  | {
      kind: 'sold'
      reply: StoredReply
      row: PaymentRow
      version: 1 | 2
      isReplay: boolean
      demoRemaining: number
      /** Call it when all of the reply has left. */
      onSent(): void
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
  /** Of looks at sources that nobody has paid for. */
  counters: RateCounters
  /** Absent: nobody can sign in, and tokens are not looked at. */
  holders?: Holders | undefined
  readPayment: ReadPayment
  /** The same without a node, so that no contract wallet can prove itself. Absent: nobody goes past his client's budget. */
  readByKey?: ReadPayment | undefined
  bounds: Bounds
  handedOut: HandedOut
}

export function createGate(ports: GatePorts): Gate {
  const { challenges, demo } = ports
  return {
    demoLimit: demo.limit,
    async admit(purchase, work) {
      const looks = createLooks({ ...ports, ...purchase })
      const missing = await findMissing(() => purchase.checkExists(looks.unpaid))
      const refused = async (reason?: RefusalReason, tried?: Tried): Promise<Admission> => {
        if (missing) throw missing
        const { route, resource, envelopeVersion, client } = purchase
        const challenge = challenges.challenge(route, resource, envelopeVersion, reason)
        const demoRemaining = tried?.isGuest ? 0 : await demo.remaining(client)
        return { kind: 'refused', challenge, reason, demoRemaining, holder: tried?.holder }
      }
      if (purchase.payment)
        return admitPayer(ports, purchase, purchase.payment, { work, refused, missing, looks })
      if (missing || purchase.askPriceOnly) return refused()
      const holder = await findHolder(ports, purchase)
      const call = await holder?.take()
      if (holder && call) return admitHolder(ports, purchase, work, { holder, call })
      const usedUp = holder && { wallet: holder.wallet, limit: holder.limit, remaining: 0 }
      const isGuest = !purchase.isForeignPage
      const guest = isGuest ? await admitGuest(ports, purchase, work, usedUp) : undefined
      return guest ?? refused(usedUp && 'allowance_used', { isGuest, holder: usedUp })
    },
  }
}

/** `isGuest`: was refused a free call, so that none is left. */
type Tried = { isGuest: boolean; holder: Allowance | undefined }

type Payable = {
  work: Work
  refused: (reason: RefusalReason) => Promise<Admission>
  missing: ServiceError | undefined
  looks: Looks
}

async function admitPayer(
  ports: GatePorts,
  purchase: Purchase,
  header: PaymentHeader,
  { work, refused, missing, looks }: Payable,
): Promise<Admission> {
  const { product, route, resource, client } = purchase
  const { bounds, handedOut } = ports
  const over = await bounds.findOver(client)
  // What was bought while it existed still belongs to its buyer: a problem lets only a stored reply through.
  const gone = looks.isOver() ? undefined : missing
  const read = await readWithin(ports, purchase, header, { over, gone })
  if ('reason' in read) {
    if (over) throw over
    await bounds.countUnusable(client)
    return refused(read.reason)
  }
  const offer = {
    productId: product.id,
    request: `${route.method} ${resource}`,
    isFresh: createIsFresh(ports.clock, product, purchase.maxAgeMs),
    onClaimed: () => handedOut.noteBuyer(client, read.payment),
    onPayable: () => handedOut.shareBuyer(client, read.payment),
    work: async () => {
      // By now a facilitator has found the payment good, and no money has moved.
      if (looks.isOver()) await purchase.checkExists(looks.paid)
      return makeFreshReply(ports, product, work, purchase.maxAgeMs)
    },
  }
  // Asked beside the sale, which does not wait for it.
  const demoRemaining = ports.demo.remaining(client)
  const sale = await bounds.sell(client, read.payment, offer, read.problem ?? gone)
  if (sale.kind === 'refused') return refused(sale.reason)
  const { row, reply, isReplay } = sale
  const stranger = isReplay ? await handedOut.findStranger(client, read.payment, row) : undefined
  if (stranger) {
    await bounds.countUnusable(client)
    throw stranger
  }
  if (!isReplay) await looks.sold()
  return {
    ...{ kind: 'sold', row, reply, isReplay, version: header.version },
    demoRemaining: await demoRemaining,
    onSent: () => handedOut.note(client, row),
  }
}

type Found = { over: ServiceError | undefined; gone: ServiceError | undefined }

/**
 * With a problem that is known no node is asked. Who has bought lately is not locked out by others behind his address, if
 * his signature proves who he is. It is checked only where he is named, and costs about as much as the request itself,
 * beside this thread.
 */
async function readWithin(
  { bounds, readPayment, readByKey }: GatePorts,
  { product, client }: Purchase,
  header: PaymentHeader,
  { over, gone }: Found,
): ReturnType<ReadPayment> {
  const named = await readPayment(header, product, client, over ?? gone)
  if (!over || !readByKey || 'reason' in named || !bounds.isKnown(named.payment.payer)) return named
  const read = await readByKey(header, product, client)
  return 'reason' in read || read.problem ? named : read
}

/** A bad token throws: it must not look as if it had worked while it uses up the free calls of its address. */
async function findHolder({ holders }: GatePorts, { token }: Purchase): Promise<Holder | undefined> {
  return token === undefined ? undefined : holders?.identify(token)
}

async function admitHolder(
  ports: GatePorts,
  purchase: Purchase,
  work: Work,
  { holder, call }: { holder: Holder; call: DemoCall },
): Promise<Admission> {
  const reply = await makeCounted(ports, purchase, work, call)
  const { wallet, limit } = holder
  const { remaining } = call
  const demoRemaining = await ports.demo.remaining(purchase.client)
  return { kind: 'holder', reply, holder: { wallet, limit, remaining }, demoRemaining }
}

async function admitGuest(
  ports: GatePorts,
  purchase: Purchase,
  work: Work,
  holder: Allowance | undefined,
): Promise<Admission | undefined> {
  const { demo, challenges } = ports
  const call = await demo.take(purchase.client)
  if (!call) return undefined
  const reply = await makeCounted(ports, purchase, work, call)
  const challenge = challenges.challenge(purchase.route, purchase.resource, purchase.envelopeVersion)
  return { kind: 'demo', reply, demoRemaining: call.remaining, challenge, holder }
}

/** A reply that could not be made costs nothing. */
async function makeCounted(ports: GatePorts, purchase: Purchase, work: Work, call: DemoCall) {
  try {
    return await makeFreshReply(ports, purchase.product, work, purchase.maxAgeMs)
  } catch (error) {
    await call.giveBack()
    throw error
  }
}
