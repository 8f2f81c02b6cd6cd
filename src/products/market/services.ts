import type { Clock } from '../../core/time/clock.ts'
import type { TokenPrices } from '../../intel/tokens/token-price.ts'
import type { Market } from '../../market/market.ts'

export type MarketServices = {
  clock: Clock
  market: Market
  /** Simulated data says so: in the sandbox the source begins with `sandbox:`. */
  sourceOf(source: string): string
  /** Tokens on Base by their contract; absent: only the coins are priced. */
  tokens?: TokenPrices | undefined
}
