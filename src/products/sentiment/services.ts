import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { CascadeRisk } from '../../intel/derivatives/cascade-risk.ts'
import type { Derivatives } from '../../intel/derivatives/derivatives.ts'
import type { Part } from '../../intel/part.ts'
import type { Sentiment } from '../../intel/sentiment/sentiment.ts'

export type SentimentServices = {
  clock: Clock
  sentiment: Sentiment
  derivatives: Pick<Derivatives, 'liquidations'>
  cascadeRisk(coin: Coin): Part<CascadeRisk>
  /** Simulated data says so: in the sandbox the source begins with `sandbox:`. */
  sourceOf(source: string): string
}
