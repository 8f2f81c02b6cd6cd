import type { z } from 'zod'
import type { ProviderName } from '../config/providers.ts'

/** A request to a provider that is safe to repeat. */
export type UpstreamRequest<Wire extends z.ZodType> = {
  /** Below the base address. Whatever stands in it came from us or was checked by a function of `path-parts.ts`. */
  path: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as JSON with POST, for reads that take a list. */
  body?: unknown
  /** What a reply must look like; another one is `malformed`. */
  schema: Wire
  maxBytes?: number
  timeoutMs?: number
  /** What costs money is sent once, and whoever wants it again asks again. */
  isSentOnce?: true
}

export type UpstreamCounters = {
  provider: ProviderName
  state: 'ok' | 'open' | 'refused'
  requests: number
  failures: number
  retries: number
  malformed: number
  limited: number
  /** When somebody last wanted something of it, sent or not. */
  lastAskedMs: number | undefined
  lastOkMs: number | undefined
  lastError: string | undefined
  /** How long the last answer took. */
  latencyMs?: number | undefined
}

/** One provider's REST address: paced below its limits, bounded in size, depth and time, repeated where that is safe. */
export type Upstream = {
  /** The parsed reply; rejects with an `UpstreamError`. Equal requests at the same time are one. */
  ask<Wire extends z.ZodType>(request: UpstreamRequest<Wire>): Promise<z.output<Wire>>
  counters(): UpstreamCounters
  /** Called every second: logs that what failed is well again. */
  check(): void
  /** Ends requests under way and refuses new ones. */
  close(): void
}

/**
 * `not_found`: the provider answered 404. `refused`: 4xx, 425 and 429. `down`: 5xx, a timeout or no connection.
 * `malformed`: a reply that breaks the format. `busy`: not sent, because our own bounds or an open breaker forbid it.
 * `frozen`: it answers, and repeats what it said long ago.
 */
export type UpstreamFault = 'not_found' | 'refused' | 'down' | 'malformed' | 'busy' | 'frozen'

export class UpstreamError extends Error {
  readonly fault: UpstreamFault
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  /** The text of a refusal, for programs only: it is never shown or logged. */
  readonly said: string | undefined

  constructor(
    fault: UpstreamFault,
    message: string,
    details: { status?: number; retryAfterMs?: number; said?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'UpstreamError'
    this.fault = fault
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
    this.said = details.said
  }
}

/** Our own bounds or an open breaker kept it from being sent, which says nothing new about the provider. */
export const isUnsent = (error: unknown): boolean => error instanceof UpstreamError && error.fault === 'busy'
