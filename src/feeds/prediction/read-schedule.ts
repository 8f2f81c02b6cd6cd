import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import { WINDOW_S, type Window, windowAt } from '../../core/time/window.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'

// When the market of a window is read from the market list.

/** The venue lists windows a day ahead; ours are known two windows before they open, so that an outage may come between. */
const KNOWN_AHEAD_MS = 10 * MINUTE_MS
/** Disputes take hours; an outcome that is unknown for longer is given up. */
export const WATCHED_MS = DAY_MS + 10 * MINUTE_MS
const BEFORE_OPEN_MS = 20 * SECOND_MS
/** What is sold of an open market is never older than half a minute while the list answers, a failure included. */
const WHILE_OPEN_MS = 20 * SECOND_MS
/** Around the end the venue stops accepting orders. */
const NEAR_END_MS = 15 * SECOND_MS
const NEAR_END_EVERY_MS = 5 * SECOND_MS
/** In the very last seconds it is read at every tick: six times for each coin. */
const LAST_MS = 6 * SECOND_MS
const LAST_RETRY_MS = SECOND_MS / 2
/** After the end the waits grow with the time since: most outcomes come within 90 s, some after hours. */
const SHARE_OF_ELAPSED = 0.25
const LONGEST_MS = 5 * MINUTE_MS
/** The opening and final price follow the outcome by about a minute; without them the market is complete enough. */
const PRICES_WITHIN_MS = 10 * MINUTE_MS
const FIRST_RETRY_MS = SECOND_MS
const NEAR_RETRY_MS = 5 * SECOND_MS
const FAR_RETRY_MS = 30 * SECOND_MS

/** Starts of the windows that have to be known by now, after `lastS`; never more than a day of them. */
export function windowsDue(lastS: number, nowMs: number): readonly number[] {
  const newestS = windowAt(nowMs + KNOWN_AHEAD_MS).startS
  const oldestS = windowAt(nowMs - WATCHED_MS).startS + WINDOW_S
  const firstS = Math.max(lastS + WINDOW_S, oldestS)
  const count = Math.max(0, (newestS - firstS) / WINDOW_S + 1)
  return Array.from({ length: count }, (_, index) => firstS + index * WINDOW_S)
}

export const isForgotten = ({ endS }: Window, nowMs: number): boolean => nowMs - endS * 1000 > WATCHED_MS

/** How long after the start of a read that found the market it is read again; undefined when there is nothing more to learn. */
export function nextReadMs(market: FiveMinuteMarket, nowMs: number): number | undefined {
  const { startS, endS } = market.window
  const [toStartMs, toEndMs] = [startS * 1000 - nowMs, endS * 1000 - nowMs]
  if (toStartMs > BEFORE_OPEN_MS) return toStartMs - BEFORE_OPEN_MS
  if (toStartMs > 0) return toStartMs
  if (toEndMs > NEAR_END_MS) return Math.min(WHILE_OPEN_MS, toEndMs - NEAR_END_MS)
  if (toEndMs > LAST_MS) return Math.min(NEAR_END_EVERY_MS, toEndMs - LAST_MS)
  if (toEndMs > 0) return 0
  if (market.outcome && (market.finalPrice !== undefined || -toEndMs > PRICES_WITHIN_MS)) return undefined
  return Math.min(LONGEST_MS, Math.max(NEAR_END_EVERY_MS, -toEndMs * SHARE_OF_ELAPSED))
}

/** How long to wait after the `failures`th read in a row that did not find it. `random` gives [0, 1). */
export function nextRetryMs(
  { startS, endS }: Window,
  failures: number,
  nowMs: number,
  random: () => number,
): number {
  const sinceEndMs = nowMs - endS * 1000
  if (sinceEndMs < 0 && sinceEndMs >= -LAST_MS) return LAST_RETRY_MS
  const isNear = sinceEndMs < 0 && startS * 1000 - nowMs < MINUTE_MS
  const longestMs = isNear ? NEAR_RETRY_MS : sinceEndMs > HOUR_MS ? LONGEST_MS : FAR_RETRY_MS
  const ceilingMs = Math.min(longestMs, FIRST_RETRY_MS * 2 ** Math.min(failures, 20))
  return ceilingMs * (0.5 + random() / 2)
}
