/** A venue's clock may run ahead of ours by this much before we disbelieve it. */
const MAX_AHEAD_MS = 10_000
/** 2015-01-01: no venue we follow has older trades, and a zero or a count of seconds falls below it. */
const EARLIEST_MS = 1_420_070_400_000

export function isSaneTime(atMs: number, nowMs: number): boolean {
  return Number.isSafeInteger(atMs) && atMs >= EARLIEST_MS && atMs <= nowMs + MAX_AHEAD_MS
}
