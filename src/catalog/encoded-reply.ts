import type { AnyProduct } from './endpoint.ts'
import type { Paid, PaidMint } from './paid.ts'
import type { Services } from './services.ts'

/** A reply as it goes over the wire, and the data's own time where it has one. */
export type EncodedReply = { text: string; bytes: number; asOfMs: number | undefined; isOutage: boolean }
export type Replies = {
  /** Of a product that is free. */
  reply(product: AnyProduct, params: Params): EncodedReply | Promise<EncodedReply>
  /** Of one that is not: nothing is produced without the gate's proof. */
  sell(paid: Paid, product: AnyProduct, params: Params): EncodedReply | Promise<EncodedReply>
}
type Params = Record<string, unknown>

type Kept = { state: unknown; reply: EncodedReply }
/** Different params of one product whose latest reply is kept. */
const KEPT_PER_PRODUCT = 64

/** Encodes a reply once per change of what it shows; until then every request copies the same text. */
export function createReplies(services: Services, redeem: PaidMint['redeem']): Replies {
  const current = createCurrentReplies(services)
  return {
    reply(product, params) {
      if (product.access.kind === 'paid') throw new Error(`${product.id} was reached without the gate`)
      return current(product, params)
    },
    sell(paid, product, params) {
      redeem(paid, product.id)
      return current(product, params)
    },
  }
}

function createCurrentReplies(services: Services) {
  const kept = new Map<AnyProduct, Map<string, Kept>>()
  return (product: AnyProduct, params: Params) => {
    if (!product.changes) return produce(services, product, params)
    const state = product.changes(services, params)
    const key = JSON.stringify(params)
    const ofProduct = kept.get(product) ?? new Map<string, Kept>()
    const last = ofProduct.get(key)
    if (last !== undefined && sameState(last.state, state)) return last.reply
    const reply = produce(services, product, params)
    if (reply instanceof Promise) return reply
    if (ofProduct.size >= KEPT_PER_PRODUCT) ofProduct.clear()
    kept.set(product, ofProduct.set(key, { state, reply }))
    return reply
  }
}

function sameState(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((part, i) => Object.is(part, b[i]))
  return Object.is(a, b)
}

function produce(services: Services, product: AnyProduct, params: Params) {
  const made = product.handle(services, params)
  return made instanceof Promise ? made.then((data) => encode(product, data)) : encode(product, made)
}

/** The declared shape is checked here, once per change: a NaN or a missing field is never sold. */
function encode(product: AnyProduct, made: unknown): EncodedReply {
  const data = product.response.parse(made)
  const text = JSON.stringify(data)
  return {
    text,
    bytes: Buffer.byteLength(text),
    asOfMs: findAsOf(data),
    isOutage: product.isOutage?.(data) ?? false,
  }
}

function findAsOf(data: unknown): number | undefined {
  const timestamp =
    typeof data === 'object' && data !== null && 'timestamp' in data ? data.timestamp : undefined
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}
