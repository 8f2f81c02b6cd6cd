import { randomUUID } from 'node:crypto'

/** The numbers of OTLP. */
export const KIND = { internal: 1, server: 2, client: 3 } as const
export type Kind = (typeof KIND)[keyof typeof KIND]

/**
 * Names come from the code, the catalog and the configuration, and so do values: never from a caller or another host.
 * Numbers are whole.
 */
export type Attributes = Readonly<Record<string, string | number | undefined>>

/** A piece of work that has ended. */
export type Span = {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  /** The parent is the caller's, not ours. */
  isParentRemote: boolean
  name: string
  kind: Kind
  /** Milliseconds since the epoch, with fractions. */
  startMs: number
  endMs: number
  attributes: Attributes
  isError: boolean
}

/** The random part of an UUID, which has the bits that samplers look at at its end. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '')
export function newSpanId(): string {
  const text = randomUUID()
  return text.slice(19, 23) + text.slice(24)
}
