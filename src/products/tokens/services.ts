import type { TokenAnalyst } from '../../intel/tokens/token-analyst.ts'
import type { TokenLookup } from '../../intel/tokens/token-lookup.ts'
import type { Trending } from '../../intel/tokens/trending/trending.ts'

export type TokenServices = {
  analyst: TokenAnalyst
  lookup: TokenLookup
  trending: Pick<Trending, 'list'>
  /** Simulated data says so: in the sandbox the source begins with `sandbox:`. */
  sourceOf(source: string): string
}
