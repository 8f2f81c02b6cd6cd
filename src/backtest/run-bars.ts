import { MINUTE_MS } from '../core/time.ts'
import { WINDOW_S } from '../core/window.ts'
import type { Bar } from '../signals/history/bar.ts'
import { createMinuteHistory, type MinuteHistory } from '../signals/history/minute-history.ts'
import { createForecaster } from '../signals/model/forecaster.ts'
import type { Model } from '../signals/model/model.ts'
import { regimeOf } from '../signals/model/regime.ts'
import type { Regime, Verdict } from '../signals/signal.ts'

/** What was said at `asOfS` of the window that opened at `windowStartS`. */
export type BarPrediction = Verdict & { windowStartS: number; asOfS: number; regime: Regime }

const WINDOW_MIN = (WINDOW_S * 1000) / MINUTE_MS

type Input = {
  model: Model
  bars: readonly Bar[]
  /** Bars of the other coins, each ascending. */
  context: readonly (readonly Bar[])[]
  /** Minutes that ended before are learnt from but not predicted. */
  fromMs?: number
}

/** Replays closed minutes through the live forecaster: a prediction per minute of each window, from its opening on. */
export function* runBars({ model, bars, context, fromMs = 0 }: Input): Generator<BarPrediction> {
  const own = createMinuteHistory()
  const followers = context.map(follow)
  const forecaster = createForecaster({ model, own, others: followers.map(({ history }) => history) })
  let openingPrice = Number.NaN
  for (const bar of bars) {
    own.apply(bar)
    for (const follower of followers) follower.advanceTo(own.endMs)
    forecaster.minuteClosed()
    const offsetMin = (own.endMs / MINUTE_MS) % WINDOW_MIN
    if (offsetMin === 0) openingPrice = bar.close
    // Without the minute that ended at its opening a window has no opening price.
    if (!forecaster.isWarm || own.endMs < fromMs || own.sinceGap <= offsetMin) continue
    // Of prices, as the live window takes it: a difference of spliced logarithms is rounded otherwise.
    const distance = Math.log(bar.close / openingPrice)
    const probabilityUp = forecaster.at(offsetMin, distance, forecaster.profile.left(offsetMin))
    yield {
      ...forecaster.verdict(probabilityUp),
      windowStartS: own.endMs / 1000 - offsetMin * (MINUTE_MS / 1000),
      asOfS: own.endMs / 1000,
      regime: regimeOf(own),
    }
  }
}

/** Another coin's history, never ahead of the moment. */
function follow(bars: readonly Bar[]): { history: MinuteHistory; advanceTo(endMs: number): void } {
  const history = createMinuteHistory()
  let next = 0
  return {
    history,
    advanceTo(endMs) {
      for (let bar = bars[next]; bar && bar.openMs + MINUTE_MS <= endMs; bar = bars[next]) {
        history.apply(bar)
        next++
      }
    },
  }
}
