import { type AnyProduct, isPaid, type PaidProduct } from '../../catalog/catalog.ts'
import type { EncodedReply } from '../../catalog/encoded-reply.ts'
import { rateLimited } from '../../catalog/rate-limit.ts'
import type { Log } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Admission } from '../../payments/gate/gate.ts'
import type { PaymentHeader } from '../../payments/read/read-payment.ts'
import type { CountCall } from '../count-call.ts'
import { failureReply, type Reply } from '../reply.ts'
import type { ResponderPorts } from '../respond/responder.ts'
import { type Asked, createBuy } from './buy.ts'
import { paidBy } from './paid-by.ts'
import { createReadAsked } from './read-asked.ts'
import { readSteering } from './steering.ts'

/** A call of a product that comes as a message of another protocol. */
export type ProductCall = {
  product: AnyProduct
  /** Path and query of the GET that brings the same; throws where the call names none. */
  address: () => string
  client: string
  payment: PaymentHeader | undefined
  /** That a holder of the project's token has. */
  token: string | undefined
  /** The caller only asks for the price. */
  askPriceOnly: boolean
  /** For the log: the request that the message came in, and its address. */
  requestId: string
  path: string
}
export type Called = Admission | { kind: 'free'; reply: EncodedReply }
/** Throws a `ServiceError` or a `ValidationError` where the call fails; nothing is charged then. */
export type CallProduct = (call: ProductCall) => Promise<Called>

export type CallPorts = Pick<ResponderPorts, 'site' | 'gate' | 'replies' | 'counters' | 'clock'> & {
  log: Log
  countCall: CountCall
  hashedClient: (client: string) => string
}

/** Products for surfaces other than plain requests: the same reading, limits, gate, counts and log. */
export function createCallProduct(ports: CallPorts): CallProduct {
  const { log, countCall, hashedClient } = ports
  const bring = createBring(ports)
  return async (call) => {
    const startedAt = performance.now()
    const { product, client, requestId: id, path } = call
    const note = (status: number, by: Pick<Reply, 'via' | 'payer' | 'code' | 'cause' | 'wallet'>) => {
      const ms = Math.round((performance.now() - startedAt) * 1000) / 1000
      countCall({ product, status, via: by.via, ms })
      const facts = {
        id,
        method: 'POST',
        path,
        product: product.id,
        client: hashedClient(client),
        status,
        ms,
      }
      log.request({
        ...facts,
        via: by.via,
        payer: by.payer,
        code: by.code,
        cause: by.cause,
        wallet: by.wallet,
      })
    }
    try {
      const called = await bring(call)
      note(called.kind === 'refused' ? 402 : 200, borneBy(called, call))
      return called
    } catch (error) {
      const failed = failureReply(error, id)
      const { status } = failed
      if (status === 500) log.error({ id, err: error }, 'request failed')
      note(status, failed)
      throw error
    }
  }
}

function borneBy(called: Called, { payment }: ProductCall): Pick<Reply, 'via' | 'payer' | 'code'> {
  if (called.kind === 'refused') return { via: payment ? 'refused' : 'unpaid', code: called.reason }
  return called.kind === 'free' ? { via: 'free' } : paidBy(called)
}

function createBring(ports: CallPorts): CallProduct {
  const { site, counters, replies } = ports
  const readAsked = createReadAsked(site.catalog)
  const buy = createBuy(ports)
  return async ({ product, address, client, payment, token, askPriceOnly }) => {
    if (product.limit) {
      const count = await counters.take(product.limit, client)
      if (count.isOver) throw rateLimited(product.limit, count)
    }
    const asked = readAsked(address())
    if (asked?.product !== product)
      throw new ServiceError('not_found', `${product.id} has nothing at this address`)
    if (isForSale(asked)) {
      const steer = readSteering(asked.query)
      const isPriceAsked = steer.askPriceOnly || askPriceOnly
      return buy(asked, { ...steer, client, payment, token, askPriceOnly: isPriceAsked })
    }
    const { access } = product
    if (access.kind !== 'free') throw new Error(`${product.id} needs ${access.kind} access`)
    const caller = { kind: 'free', client } as const
    return { kind: 'free', reply: await replies.reply(product, asked.params, caller) }
  }
}

function isForSale<A extends Asked>(asked: A): asked is A & { product: PaidProduct } {
  return isPaid(asked.product)
}
