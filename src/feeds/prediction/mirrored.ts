import type { MarketAndBooks } from './followed-market.ts'

/** Above the fractions that a double cannot hold. */
const ROUNDING = 1e-9

/** A bid for one outcome is an ask for the other at one minus its price: the best of both must agree within a tick. */
export function isMirrored({ market: { tickSize }, up, down }: MarketAndBooks): boolean {
  const agree = (bid: number | undefined, ask: number | undefined) =>
    bid === undefined || ask === undefined || Math.abs(bid + ask - 1) <= tickSize + ROUNDING
  return agree(up.bids[0]?.[0], down.asks[0]?.[0]) && agree(down.bids[0]?.[0], up.asks[0]?.[0])
}
