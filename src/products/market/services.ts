import type { Clock } from '../../core/time/clock.ts'
import type { Market } from '../../market/market.ts'

export type MarketServices = {
  clock: Clock
  market: Market
  /** Simulated data says so: in the sandbox the source begins with `sandbox:`. */
  sourceOf(source: string): string
}
