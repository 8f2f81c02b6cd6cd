import { MINUTE_MS } from '../core/time/time.ts'
import { WINDOW_S } from '../core/time/window.ts'
import type { ClosedCandle } from '../signals/history/closed-candle.ts'
import { createMinuteHistory, type MinuteHistory } from '../signals/history/minute-history.ts'
import { createForecaster } from '../signals/model/forecaster.ts'
import type { Model } from '../signals/model/model.ts'
import { regimeOf } from '../signals/model/regime.ts'
import type { SampleAt } from '../signals/samples/minute-sample.ts'
import type { Regime, Verdict } from '../signals/signal.ts'

/** The prediction at `asOfS` for the window that opened at `windowStartS`. */
export type CandlePrediction = Verdict & { windowStartS: number; asOfS: number; regime: Regime }

const WINDOW_MIN = (WINDOW_S * 1000) / MINUTE_MS

type Input = {
  model: Model
  candles: readonly ClosedCandle[]
  /** Candles of the other coins, each ascending. */
  context: readonly (readonly ClosedCandle[])[]
  /** Minutes that ended before this are learnt from, without predictions. */
  fromMs?: number
  /** What was seen besides candles, where it was recorded. */
  sampleAt?: SampleAt | undefined
}

/** Replays closed minutes through the live forecaster: a prediction per minute of each window, from its opening on. */
export function* runCandles({ fromMs = 0, ...input }: Input): Generator<CandlePrediction> {
  let openingPrice = Number.NaN
  for (const { candle, own, forecaster } of replayMinutes(input)) {
    const offsetMin = (own.endMs / MINUTE_MS) % WINDOW_MIN
    if (offsetMin === 0) openingPrice = candle.close
    // The opening price is the close of the minute that ended at the opening.
    if (!forecaster.isWarm || own.endMs < fromMs || own.sinceGap <= offsetMin) continue
    // From prices, as the live engine does it: the history's logarithms would round differently.
    const distance = Math.log(candle.close / openingPrice)
    const probabilityUp = forecaster.at(offsetMin, distance, forecaster.profile.left(offsetMin))
    yield {
      ...forecaster.verdict(probabilityUp),
      windowStartS: own.endMs / 1000 - offsetMin * (MINUTE_MS / 1000),
      asOfS: own.endMs / 1000,
      regime: regimeOf(own),
    }
  }
}

/** Each minute, with history and forecaster as they are after its close. */
export function* replayMinutes({ model, candles, context, sampleAt }: Omit<Input, 'fromMs'>) {
  const own = createMinuteHistory()
  const followers = context.map(follow)
  const others = followers.map(({ history }) => history)
  const forecaster = createForecaster({ model, own, others, sampleAt })
  for (const candle of candles) {
    own.apply(candle)
    for (const follower of followers) follower.advanceTo(own.endMs)
    forecaster.minuteClosed()
    yield { candle, own, forecaster }
  }
}

/** Another coin's history, up to the same moment and not beyond. */
function follow(candles: readonly ClosedCandle[]): {
  history: MinuteHistory
  advanceTo(endMs: number): void
} {
  const history = createMinuteHistory()
  let next = 0
  return {
    history,
    advanceTo(endMs) {
      for (let candle = candles[next]; candle && candle.openMs + MINUTE_MS <= endMs; candle = candles[next]) {
        history.apply(candle)
        next++
      }
    },
  }
}
