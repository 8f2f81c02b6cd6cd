import { MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'

/** The first seconds of a window are those in which its opening price and its books are still being made. */
export const OPENS_AFTER_MS = 10 * SECOND_MS
/** An order needs seconds to be signed, sent, held back by the venue and matched; after the end nobody knows. */
export const CLOSES_BEFORE_END_MS = 20 * SECOND_MS

export const BOOK_MAX_AGE_MS = 2 * SECOND_MS
export const SIGNAL_MAX_AGE_MS = 5 * SECOND_MS
/** The market list is asked about once a minute. */
export const MARKET_MAX_AGE_MS = 2 * MINUTE_MS
/** Of the venue's clock against ours, in both directions. What is dated further ahead than this is not believed. */
export const MAX_SKEW_MS = SECOND_MS
