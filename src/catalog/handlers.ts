import type { MayLook } from '../core/may-look.ts'
import type { Caller } from './caller.ts'
import type { AnyParams } from './endpoints/endpoint.ts'
import type { Listener } from './endpoints/event-stream.ts'
import type { PageText } from './endpoints/page.ts'
import type { ProtocolCall, ProtocolReply } from './endpoints/protocol.ts'
import type { Group } from './group.ts'

/** The handler of one endpoint with the services it was promised. */
export type Handler = {
  changes?: (params: AnyParams) => unknown
  checkExists?: (params: AnyParams, mayLook: MayLook) => void | Promise<void>
  handle(params: AnyParams, caller?: Caller): unknown
}
export type PageHandler = (params: AnyParams, caller?: Caller) => PageText | Promise<PageText>
export type PixelHandler = (params: AnyParams, caller?: Caller) => void | Promise<void>
export type ProtocolHandler = (call: ProtocolCall) => ProtocolReply | Promise<ProtocolReply>
export type OpenStream = (params: AnyParams, listener: Listener<object>) => () => void

/** By endpoint id. */
export type Handlers = {
  products: ReadonlyMap<string, Handler>
  pages: ReadonlyMap<string, PageHandler>
  pixels: ReadonlyMap<string, PixelHandler>
  streams: ReadonlyMap<string, OpenStream>
  protocols: ReadonlyMap<string, ProtocolHandler>
}

/** Gives every handler of a group its services; the compiler checks that they are what the handlers ask for. */
export function bindGroup<S>({ endpoints }: Group<S>, services: S): Handlers {
  const products = new Map<string, Handler>()
  const pages = new Map<string, PageHandler>()
  const pixels = new Map<string, PixelHandler>()
  const streams = new Map<string, OpenStream>()
  const protocols = new Map<string, ProtocolHandler>()
  for (const endpoint of endpoints) {
    if (endpoint.kind === 'product') {
      const { changes, checkExists, handle } = endpoint
      products.set(endpoint.id, {
        ...(changes && { changes: (params) => changes(services, params) }),
        ...(checkExists && { checkExists: (params, mayLook) => checkExists(services, params, mayLook) }),
        handle: (params, caller) => handle(services, params, caller),
      })
    } else if (endpoint.kind === 'page')
      pages.set(endpoint.id, (params, caller) => endpoint.handle(services, params, caller))
    else if (endpoint.kind === 'pixel')
      pixels.set(endpoint.id, (params, caller) => endpoint.handle(services, params, caller))
    else if (endpoint.kind === 'stream')
      streams.set(endpoint.id, (params, listener) => endpoint.open(services, params, listener))
    else if (endpoint.kind === 'protocol')
      protocols.set(endpoint.id, (call) => endpoint.handle(services, call))
  }
  return { products, pages, pixels, streams, protocols }
}

export function joinHandlers(all: readonly Handlers[]): Handlers {
  return {
    products: new Map(all.flatMap(({ products }) => [...products])),
    pages: new Map(all.flatMap(({ pages }) => [...pages])),
    pixels: new Map(all.flatMap(({ pixels }) => [...pixels])),
    streams: new Map(all.flatMap(({ streams }) => [...streams])),
    protocols: new Map(all.flatMap(({ protocols }) => [...protocols])),
  }
}

export function findHandler<H>(handlers: ReadonlyMap<string, H>, id: string): H {
  const handler = handlers.get(id)
  if (!handler) throw new Error(`${id} is in the catalog and no service was given to its group`)
  return handler
}
