import type { Coin } from '../../core/coin.ts'
import type { LiquidationTotals } from '../../feeds/liquidations/liquidation-feed.ts'
import type { Part } from '../part.ts'
import type { CascadeRisk } from './cascade-risk.ts'
import type { Derivatives, DerivativesVenue, PerpetualState } from './derivatives.ts'
import type { FundingDivergence } from './funding-divergence.ts'

export type PerpetualDetail = PerpetualState & {
  volume24hUsd: number | undefined
  /** In coins, as a share: 0.1 is ten percent more than a day ago. */
  openInterestChange24h: number | undefined
}

/** One coin over all venues that are not missing; undefined where no venue says. */
export type CoinDerivatives = {
  openInterestUsd: number | undefined
  openInterestChange24h: number | undefined
  volume24hUsd: number | undefined
  /** Weighted by open interest. */
  funding8h: number | undefined
  divergence: FundingDivergence | undefined
  cascade: CascadeRisk | undefined
}

/** All that is known of perpetual futures. */
export type DerivativesDesk = Omit<Derivatives, 'perpetual'> & {
  perpetual(venue: DerivativesVenue, coin: Coin): Part<PerpetualDetail>
  liquidationTotals(coin: Coin, span: 'hour' | 'day'): Part<LiquidationTotals>
  volatility(coin: Coin): Part<number>
  overview(coin: Coin): CoinDerivatives
}
