import type { Direction, IndicatorReadings, Signal } from '../../signals/signal.ts'
import type { Strategy, TradingConfig } from '../trading-config.ts'
import type { Look } from './look.ts'

/** What is bought, and how probable it is to us in millionths; undefined where the operator forces it. */
export type Side = { outcome: Direction; probabilityE6: bigint | undefined }
/** `whyNot`: the condition of the strategy that is not met. */
type ChosenSide = Side & { chosenBy: Strategy | 'contrarian' | 'boss_signal'; whyNot: string | undefined }

/** Of five minutes, in percent: less is about what one minute moves by chance. */
export const MIN_RATE_OF_CHANGE = 0.02
/** Share of up-ticks less share of down-ticks. */
export const MIN_TICK_MOMENTUM = 0.1
export const OVERSOLD_RSI = 30
export const OVERBOUGHT_RSI = 70
/** Position between the bands: on the lower one, and on the upper one. */
export const LOWER_BAND = 0
export const UPPER_BAND = 1

/**
 * The side that strategy and settings choose; undefined without a signal. A strategy is a condition under which the
 * calibrated probability is followed; it never changes the probability.
 */
export function chooseSide({ bossSignal, signal, config }: Look): ChosenSide | undefined {
  if (bossSignal)
    return { outcome: bossSignal, probabilityE6: undefined, chosenBy: 'boss_signal', whyNot: undefined }
  if (!signal || !(signal.probabilityUp >= 0 && signal.probabilityUp <= 1)) return undefined
  const isOther = isContrarian(signal, config)
  const outcome = isOther ? opposite(signal.direction) : signal.direction
  const probability = outcome === 'UP' ? signal.probabilityUp : 1 - signal.probabilityUp
  return {
    outcome,
    // Floors: we never think more of a side than the signal does.
    probabilityE6: BigInt(Math.floor(probability * 1e6)),
    chosenBy: isOther ? 'contrarian' : config.strategy,
    whyNot: CONDITIONS[config.strategy](signal.indicators, outcome),
  }
}

/** Where the confidence is that low, the other side is bought, if it is cheap enough. */
export const isContrarian = ({ confidence }: Signal, { contrarian }: TradingConfig): boolean =>
  contrarian.enabled && confidence <= contrarian.maxConfidence

type Condition = (indicators: IndicatorReadings, bought: Direction) => string | undefined

const CONDITIONS: Record<Strategy, Condition> = {
  fused: () => undefined,
  momentum({ rateOfChange, tickMomentum }, bought) {
    if (rateOfChange === undefined || tickMomentum === undefined) return 'indicator_unknown'
    const sign = bought === 'UP' ? 1 : -1
    const isMoving = rateOfChange * sign >= MIN_RATE_OF_CHANGE && tickMomentum * sign >= MIN_TICK_MOMENTUM
    return isMoving ? undefined : 'no_momentum'
  },
  mean_reversion({ rsi, bollinger }, bought) {
    if (rsi === undefined || bollinger === undefined) return 'indicator_unknown'
    const isLow = rsi <= OVERSOLD_RSI || bollinger <= LOWER_BAND
    const isHigh = rsi >= OVERBOUGHT_RSI || bollinger >= UPPER_BAND
    return (bought === 'UP' ? isLow : isHigh) ? undefined : 'not_stretched'
  },
}

const opposite = (direction: Direction): Direction => (direction === 'UP' ? 'DOWN' : 'UP')
