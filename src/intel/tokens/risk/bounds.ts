// Where danger begins, for the rating of a token and for the marks of trending pools alike. Each is reasoned in
// `docs/methodology/tokens.md`.

export const HIGH_TAX = 0.15
export const LOW_LIQUIDITY_USD = 10_000
/** In percent, within a day. */
export const COLLAPSE_PERCENT = 90

/** Buys for each sell of a day, where selling is hindered. */
export const BUYS_PER_SELL = 10
/** Below so many buys a day says nothing. */
const MIN_BUYS = 30

/** Undefined where there are too few trades to tell. */
export function buysPerSell(buys: number | undefined, sells: number | undefined): number | undefined {
  if (buys === undefined || sells === undefined || buys < MIN_BUYS) return undefined
  return buys / Math.max(1, sells)
}
