import type { IncomingMessage } from 'node:http'
import type { Route } from '../catalog/catalog.ts'
import type { CallVia } from '../core/log.ts'

/** How a request ended, without anything that its caller chose. */
export type RequestEnd = {
  route: Route | undefined
  status: number
  via: CallVia | undefined
  /** A word of a fixed list. */
  code: string | undefined
}

/** A request that is traced. */
export type RequestTrace = {
  id: string
  /** What is called within belongs to it, also later. */
  run<T>(work: () => T): T
  end(ended: RequestEnd): void
}

/** Undefined where this one is not traced. Never throws. */
export type TraceRequest = (raw: IncomingMessage, method: string) => RequestTrace | undefined
