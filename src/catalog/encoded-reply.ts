import type { MayLook } from '../core/may-look.ts'
import type { Caller } from './caller.ts'
import type { AnyProduct } from './catalog.ts'
import { isEncodedText } from './encoded-text.ts'
import type { AnyParams } from './endpoints/endpoint.ts'
import { findHandler, type Handler, type Handlers } from './handlers.ts'
import type { Paid, PaidMint } from './paid.ts'

/** A reply as it goes over the wire, and the data's own time where it has one. */
export type EncodedReply = { text: string; bytes: number; asOfMs: number | undefined; isOutage: boolean }
type Reply = EncodedReply | Promise<EncodedReply>
export type Replies = {
  /** Of a product that is not for sale: to a caller whom the product's access admits, or to anybody if it is free. */
  reply(product: AnyProduct, params: AnyParams, caller?: Caller): Reply
  /** Throws where the params name something that we do not have: asked before anybody pays for it. */
  checkExists(product: AnyProduct, params: AnyParams, mayLook: MayLook): void | Promise<void>
  /** Of one that is for sale: nothing is produced without the gate's proof. */
  sell(paid: Paid, product: AnyProduct, params: AnyParams): Reply
  /** Forgets the replies that are kept; returns how many. */
  drop(): number
}

type Kept = { state: unknown; reply: Reply }
/** Different params of one product whose latest reply is kept: those that were asked for last. */
const KEPT_PER_PRODUCT = 128

/** Encodes a reply once per change of what it shows; until then every request copies the same text. */
export function createReplies(handlers: Handlers['products'], redeem: PaidMint['redeem']): Replies {
  const current = createCurrentReplies(handlers)
  return {
    reply(product, params, caller) {
      const { kind } = product.access
      if (kind !== 'free' && caller?.kind !== kind)
        throw new Error(`${product.id} was reached without its ${kind} check`)
      return current.of(product, params, product.caller && caller)
    },
    checkExists: (product, params, mayLook) =>
      findHandler(handlers, product.id).checkExists?.(params, mayLook),
    sell(paid, product, params) {
      redeem(paid, product.id)
      return current.of(product, params)
    },
    drop: current.drop,
  }
}

function createCurrentReplies(handlers: Handlers['products']) {
  const kept = new Map<AnyProduct, Map<string, Kept>>()
  const of = (product: AnyProduct, params: AnyParams, caller?: Caller): Reply => {
    const handler = findHandler(handlers, product.id)
    if (!handler.changes) return produce(handler, product, params, caller)
    const state = handler.changes(params)
    const key = JSON.stringify(params)
    const ofProduct = kept.get(product) ?? new Map<string, Kept>()
    const last = ofProduct.get(key)
    ofProduct.delete(key)
    if (last !== undefined && sameState(last.state, state)) {
      ofProduct.set(key, last)
      return last.reply
    }
    const made: Kept = { state, reply: produce(handler, product, params) }
    for (const oldest of ofProduct.keys()) {
      if (ofProduct.size < KEPT_PER_PRODUCT) break
      ofProduct.delete(oldest)
    }
    kept.set(product, ofProduct.set(key, made))
    if (made.reply instanceof Promise)
      // Who asks meanwhile waits for the same one: a crowd costs as much as a single call.
      made.reply.then(
        (reply) => {
          made.reply = reply
        },
        () => void (ofProduct.get(key) === made && ofProduct.delete(key)),
      )
    return made.reply
  }
  const drop = () => {
    const count = [...kept.values()].reduce((sum, { size }) => sum + size, 0)
    kept.clear()
    return count
  }
  return { of, drop }
}

function sameState(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((part, i) => Object.is(part, b[i]))
  return Object.is(a, b)
}

function produce(handler: Handler, product: AnyProduct, params: AnyParams, caller?: Caller) {
  const made = handler.handle(params, caller)
  return made instanceof Promise ? made.then((data) => encode(product, data)) : encode(product, made)
}

/** The declared shape is checked here, once per change: a NaN or a missing field is never sold. */
function encode(product: AnyProduct, made: unknown): EncodedReply {
  if (isEncodedText(made))
    return { text: made.text, bytes: Buffer.byteLength(made.text), asOfMs: made.asOfMs, isOutage: false }
  const data = product.response.parse(made)
  const text = JSON.stringify(data)
  return {
    text,
    bytes: Buffer.byteLength(text),
    asOfMs: findAsOfMs(data),
    isOutage: product.isOutage?.(data) ?? false,
  }
}

function findAsOfMs(data: unknown): number | undefined {
  const timestamp =
    typeof data === 'object' && data !== null && 'timestamp' in data ? data.timestamp : undefined
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return Number.isFinite(ms) ? ms : undefined
}
