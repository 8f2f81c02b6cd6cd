import { PRICE_KINDS } from '../feeds/events.ts'
import type { Market } from '../market/market.ts'
import type { OracleAt } from './ports.ts'

/** The oracle's tick of one second, from the market's history: the average where there is one, else the spot price. */
export function createOracleAt(market: Pick<Market, 'oracle'>): OracleAt {
  return (coin, atS) => {
    const view = market.oracle(coin)
    for (const kind of PRICE_KINDS) {
      const newest = view.last[kind]
      if (!newest) continue
      const agoS = Math.floor(newest.atMs / 1000) - atS
      const [tick] = agoS < 0 ? [] : view.history(kind, agoS + 1)
      if (tick && Math.floor(tick.atMs / 1000) === atS) return { price: tick.price, kind, atMs: tick.atMs }
    }
    return undefined
  }
}
