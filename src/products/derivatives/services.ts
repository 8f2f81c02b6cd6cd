import type { Clock } from '../../core/time/clock.ts'
import type { DerivativesDesk } from '../../intel/derivatives/derivatives-desk.ts'
import type { Part } from '../../intel/part.ts'
import type { GlobalMarket } from '../../upstreams/coingecko/wire.ts'

export type DerivativesServices = {
  clock: Clock
  derivatives: DerivativesDesk
  wholeMarket(): Part<GlobalMarket>
  /** Simulated data says so: in the sandbox the source begins with `sandbox:`. */
  sourceOf(source: string): string
}
