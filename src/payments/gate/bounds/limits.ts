import type { RateLimit } from '../../../catalog/rate-limit.ts'
import type { BackoffBounds } from '../../../core/time/backoff.ts'

/**
 * What strangers may make us do with payments that lead to nothing. All of it stands here and in `facilitators/load.ts`;
 * the reasons are in decision 32.
 */

/** Payments that were refused, ended void or were left open: of one client, of the lines of one customer, of one wallet. */
export const FAILED_BY_CLIENT: RateLimit = { name: 'failed-payments', calls: 60, windowS: 60 }
export const FAILED_BY_CUSTOMER: RateLimit = { name: 'failed-payments-of-lines', calls: 240, windowS: 60 }
export const FAILED_BY_PAYER: RateLimit = { name: 'failed-payments-of-wallet', calls: 10, windowS: 60 }

/**
 * Payments that were found good and of which no sale came: the reply could not be made, or was older than its buyer
 * wanted. That may be no fault of his, but anybody can bring it about by asking for data without age, and each costs a
 * check. So it counts apart from what failed, and for more.
 */
export const UNSOLD_BY_CLIENT: RateLimit = { name: 'unsold-payments', calls: 240, windowS: 60 }
export const UNSOLD_BY_CUSTOMER: RateLimit = { name: 'unsold-payments-of-lines', calls: 960, windowS: 60 }
export const UNSOLD_BY_PAYER: RateLimit = { name: 'unsold-payments-of-wallet', calls: 60, windowS: 60 }

/** Sales under way at once: at first, and at most after as many good ones. More wait in line. */
export type PlaceLimits = { first: number; most: number; line: number; waitMs: number }
/** Half of the checks, and half of the settlements, that one facilitator gets at once. */
export const CLIENT_PLACES: PlaceLimits = { first: 16, most: 64, line: 256, waitMs: 10_000 }
/** Not more at first than a wallet may leave open. */
export const PAYER_PLACES: PlaceLimits = { first: 5, most: 64, line: 128, waitMs: 10_000 }

/** Payments of wallets that have not bought lately, until one is found good: of all customers together, in turns. */
export const STRANGERS = { places: 16, placesPerKey: 6, line: 512, linePerKey: 64, waitMs: 5_000 }

/** Payments of one wallet that the chain has not decided; with so many, no new one is taken. */
export const OPEN_BY_PAYER = 5
/** What a wallet with that many is told to wait. */
export const OPEN_WAIT_S = 15

/** How often the buyer of an open payment gets a look at the chain for it. */
export const LOOKS_AT_OPEN = { calls: 10, windowMs: 10_000 }
/** How often one that others have used, and our node does not show, is looked at: it, and all of a wallet and a client. */
export const LOOKS_AT_UNSEEN: RateLimit = { name: 'looks-at-unseen', calls: 10, windowS: 10 }
export const UNSEEN_BY_PAYER: RateLimit = { name: 'looks-at-unseen-of-wallet', calls: 20, windowS: 10 }
export const UNSEEN_BY_CLIENT: RateLimit = { name: 'looks-at-unseen-of-client', calls: 40, windowS: 10 }
export const UNSEEN_BY_CUSTOMER: RateLimit = { name: 'looks-at-unseen-of-lines', calls: 80, windowS: 10 }
/** Pauses before an open payment is sent to a facilitator again because its buyer asks. */
export const SEND_AGAIN: BackoffBounds = { firstMs: 2_000, maxMs: 15_000 }
/** Pauses before the chain is asked about an open payment again, by ourselves. */
export const ASK_AGAIN: BackoffBounds = { firstMs: 2_000, maxMs: 15_000 }
/** Open payments that the chain is asked about in one round, and at once. */
export const ASKS_PER_ROUND = 64
export const CONCURRENT_ASKS = 8
