import { replayMinutes } from '../../backtest/run-candles.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { WINDOW_MIN } from '../../core/time/window.ts'
import type { Model } from '../../signals/model/model.ts'
import { OWN_FEATURES } from '../../signals/model/own/own-features.ts'
import { readOwnFeatures } from '../../signals/model/own/own-part.ts'
import { hasFuture, type Rows } from '../history/dataset.ts'
import type { OwnHistory } from './own-history.ts'

/** A moment of a window: what the shipped model says, what it does not see, and how the window ended at `endMs`. */
export type OwnRow = { offset: number; endMs: number; logit: number; features: Float32Array; isUp: boolean }

/** Of every coin: moments with a sample, in windows with a day of history before them and an outcome. */
export function ownRows(base: Model, { stretches }: OwnHistory, dataset: readonly Rows[]): OwnRow[] {
  const found: OwnRow[] = []
  const features = new Float64Array(OWN_FEATURES.length)
  for (const [which, { coin, candles, sampleAt }] of stretches.entries()) {
    const rows = dataset[which]
    const context = stretches.filter((other) => other.coin !== coin).map((other) => other.candles)
    for (const { own, forecaster } of replayMinutes({ model: base, candles, context })) {
      const offset = (own.endMs / MINUTE_MS) % WINDOW_MIN
      const start = own.count - 1 - offset
      if (!rows?.isUsable[start] || !hasFuture(rows, start, WINDOW_MIN) || !sampleAt(own.endMs)) continue
      readOwnFeatures(features, own, sampleAt, forecaster.logit)
      found.push({
        offset,
        endMs: (rows.endMs[start] ?? 0) + WINDOW_MIN * MINUTE_MS,
        logit: forecaster.logit,
        features: Float32Array.from(features),
        isUp: (rows.close[start + WINDOW_MIN] ?? 0) >= (rows.close[start] ?? 0),
      })
    }
  }
  return found
}
