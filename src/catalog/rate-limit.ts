import { ServiceError } from '../core/service-error.ts'

/** Calls that one client may make in a window of time. Endpoints that name the same limit share its counter. */
export type RateLimit = {
  name: string
  calls: number
  windowS: number
  /** Stands on the way to what is sold: where the shared count is lost each process counts for itself. */
  sells?: true
}

/** What is left to a client after a call, when its window began, and how long until it ends. */
export type RateCount = { isOver: boolean; remaining: number; windowStartS: number; resetS: number }

/** Counts calls per limit and client; behind a port, so that several processes can share one counter. */
export type RateCounters = {
  take(limit: RateLimit, client: string): RateCount | Promise<RateCount>
  /** Counts nothing: whether another call would be over. */
  look(limit: RateLimit, client: string): RateCount | Promise<RateCount>
  /**
   * A call that was taken does not count after all; nobody gets more than the limit by it. Who knows its count says so,
   * and then no other window is touched; else it is one of the window that is open.
   */
  giveBack(limit: RateLimit, client: string, taken?: RateCount): void | Promise<void>
}

const UNITS: Readonly<Record<number, string>> = { 86400: 'a day', 3600: 'an hour', 60: 'a minute' }

/** `300 calls a minute`. */
export function describeLimit({ calls, windowS }: RateLimit): string {
  return `${calls} calls ${UNITS[windowS] ?? `in ${windowS} seconds`}`
}

export function rateLimited(limit: RateLimit, { resetS }: RateCount): ServiceError {
  return new ServiceError('rate_limited', `at most ${describeLimit(limit)} from one client`, {
    retryAfterS: resetS,
    hint: `wait ${resetS} s; the RateLimit header counts down`,
  })
}

/** The value is an RFC 9651 string between quotes, so the name must be plain. */
export function checkLimit({ name, calls, windowS }: RateLimit): void {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new Error(`the limit ${JSON.stringify(name)} needs a plain name`)
  if (!isWhole(calls) || !isWhole(windowS)) throw new Error(`the limit ${name} needs whole numbers above 0`)
}

const isWhole = (value: number) => Number.isSafeInteger(value) && value > 0
