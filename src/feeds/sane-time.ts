import { DAY_MS } from '../core/time/time.ts'

/** A time further ahead of our clock than this is treated as wrong. */
const MAX_AHEAD_MS = 10_000
/** And further than this it is no clock that is wrong, but the number. */
const MAX_CLOCK_ERROR_MS = DAY_MS
/** 2015-01-01: no venue we follow has older trades. Also catches 0 and times in seconds. */
const EARLIEST_MS = 1_420_070_400_000

export function isSaneTime(atMs: number, nowMs: number): boolean {
  return Number.isSafeInteger(atMs) && atMs >= EARLIEST_MS && atMs <= nowMs + MAX_AHEAD_MS
}

/** By how much the clock is ahead of ours that gave this time; undefined if we accept it, or no clock gives it. */
export function findAheadMs(atMs: number, nowMs: number): number | undefined {
  const aheadMs = atMs - nowMs
  return aheadMs > MAX_AHEAD_MS && aheadMs <= MAX_CLOCK_ERROR_MS ? aheadMs : undefined
}
