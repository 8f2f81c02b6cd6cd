// The server makes `facts.js` of the constants that decide them (`frame/facts.ts`).

/** Why a payment is refused, by the reason that a 402 names. */
export const REFUSALS: Readonly<Record<string, string>>
/** How long a payment that has paid fetches its reply again. */
export const REPLY_KEPT_HOURS: number
export const WINDOW_S: number
/** How much of the price and of the delayed values the live dashboard shows. */
export const PRICE_S: number
export const DELAYED_S: number
/** Beyond it the oldest task gives way. */
export const TASKS_MAX: number
