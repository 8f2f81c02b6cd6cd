/** For a refusal without a usable `Retry-After`. */
const DEFAULT_HOLD_MS = 10_000
/** A host that names 0 s wants us to slow down all the same. */
const MIN_HOLD_MS = 1_000
/** Bans last up to three days. One request an hour does not prolong them, and a mistaken value does not stop us for years. */
const MAX_HOLD_MS = 3_600_000

/** Whole seconds by the standard. Some hosts send fractions, and proxies join two headers into a list. */
const LEADING_NUMBER = /^(\d+(?:\.\d+)?)\s*(?:,|$)/

/**
 * How long not to ask, by a `Retry-After` in seconds or as a date. A date is compared with the reply's own `Date`, so
 * that it does not matter whether our clock and the host's agree.
 */
export function toHoldMs(
  retryAfter: string | null | undefined,
  date: string | null | undefined,
  nowMs: number,
): number {
  const text = retryAfter?.trim() ?? ''
  const sentMs = date ? Date.parse(date) : Number.NaN
  const seconds = LEADING_NUMBER.exec(text)?.[1]
  const askedMs = seconds
    ? Math.ceil(Number(seconds)) * 1000
    : Date.parse(text) - (Number.isNaN(sentMs) ? nowMs : sentMs)
  return askedMs >= 0 ? Math.min(Math.max(askedMs, MIN_HOLD_MS), MAX_HOLD_MS) : DEFAULT_HOLD_MS
}
