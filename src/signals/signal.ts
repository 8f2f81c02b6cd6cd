import type { Coin } from '../core/coin.ts'
import type { PriceKind } from '../feeds/events.ts'

export type Direction = 'UP' | 'DOWN'

export const REGIMES = ['momentum', 'mean_reversion', 'trending', 'choppy', 'neutral'] as const
export type Regime = (typeof REGIMES)[number]

/** A probability, with the likelier direction. */
export type Verdict = {
  /** Of closing at or above the opening price, 0..1. */
  probabilityUp: number
  direction: Direction
  /** The probability of `direction`, so never below one half. */
  confidence: number
  /** True when the probability is indistinguishable from a coin flip, or minutes behind it are late or missing. */
  abstain: boolean
}

/** Undefined where too little is known. */
export type IndicatorReadings = {
  tickMomentum: number | undefined
  bookImbalance: number | undefined
  aggressorRatio: number | undefined
  rsi: number | undefined
  volumeSpike: number | undefined
  rateOfChange: number | undefined
  macd: number | undefined
  bollinger: number | undefined
}

/** Why an indicator is undefined, for those that are. */
export type UnknownIndicators = { [name in keyof IndicatorReadings]?: string }

/** What we say about the five-minute window that is open at `asOfMs`, the time of the newest event behind it. */
export type Signal = Verdict & {
  coin: Coin
  asOfMs: number
  windowStartS: number
  price: number
  /** The price on which the window resolves. */
  priceKind: PriceKind
  regime: Regime
  indicators: IndicatorReadings
  unknownIndicators: UnknownIndicators
  /** Rises with every change. */
  version: number
}

/** What we say about a window before it opens. It is committed to the public record. */
export type Prediction = Verdict & {
  coin: Coin
  asOfMs: number
  windowStartS: number
  regime: Regime
  /** Name of the model. */
  model: string
}

/** One half counts as UP, since ties resolve UP. */
export function verdictOf(probabilityUp: number, abstainBelow: number): Verdict {
  const direction = probabilityUp >= 0.5 ? 'UP' : 'DOWN'
  const confidence = Math.max(probabilityUp, 1 - probabilityUp)
  return { probabilityUp, direction, confidence, abstain: confidence < abstainBelow }
}
