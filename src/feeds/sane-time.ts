/** A time further ahead of our clock than this is treated as wrong. */
const MAX_AHEAD_MS = 10_000
/** 2015-01-01: no venue we follow has older trades. Also catches 0 and times in seconds. */
const EARLIEST_MS = 1_420_070_400_000

export function isSaneTime(atMs: number, nowMs: number): boolean {
  return Number.isSafeInteger(atMs) && atMs >= EARLIEST_MS && atMs <= nowMs + MAX_AHEAD_MS
}
