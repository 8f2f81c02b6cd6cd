import { findTickE4 } from '../../feeds/prediction/book/token-levels.ts'
import { isFeeKnown } from '../../market/prediction/fee.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'

const CENT_E4 = 100

/** Why an order of ours would be wrong in a market, whatever its books say. */
export function whyNotTradable(market: FiveMinuteMarket): string | undefined {
  const { acceptingOrders, closed, outcome, version, negRisk, fee, tickSize } = market
  if (!acceptingOrders || closed || outcome !== undefined) return 'the market does not take orders'
  if (version !== 'v1' || negRisk) return 'the market is of a kind that we do not trade'
  if (!isFeeKnown(fee)) return 'the fee of the market is not known'
  if (findOurTickE4(tickSize) === undefined) return `${tickSize} is no tick that we trade at`
  return undefined
}

/** In ten-thousandths. At a tick of ten cents there is no slippage of one, and not every amount is taken. */
export function findOurTickE4(tickSize: number): number | undefined {
  const tickE4 = findTickE4(tickSize)
  return tickE4 !== undefined && tickE4 <= CENT_E4 ? tickE4 : undefined
}
