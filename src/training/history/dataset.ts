import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { createMinuteHistory, type MinuteHistory } from '../../signals/history/minute-history.ts'
import { FEATURES, fillFeatures } from '../../signals/model/features.ts'
import { fillVolatilityInputs, VOLATILITY_INPUTS } from '../../signals/model/volatility/volatility.ts'
import type { Stretch } from './history-files.ts'

/** What was known at the end of each minute of a stretch, row by row. */
export type Rows = {
  coin: Coin
  count: number
  endMs: Float64Array
  /** Log close, continuous across gaps. */
  close: Float64Array
  features: Float32Array
  inputs: Float32Array
  /** 1 after a day of history and an hour without a gap. */
  isUsable: Uint8Array
}

const DAY_MIN = 1_440
const HOUR_MIN = 60
const REPORT_EVERY = 20_000

type Cursor = { stretch: Stretch; history: MinuteHistory; rows: Rows; next: number }

/** Replays all stretches together, so that each coin sees the others at the same moment. */
export function buildDataset(
  stretches: readonly Stretch[],
  onMinutes: (done: number, all: number) => void,
): Rows[] {
  const cursors = stretches.map(open)
  const all = stretches.reduce((sum, { candles }) => sum + candles.length, 0)
  const features = new Float64Array(FEATURES.length)
  const inputs = new Float64Array(VOLATILITY_INPUTS)
  let done = 0
  for (let openMs = earliest(cursors); openMs < Number.POSITIVE_INFINITY; openMs = earliest(cursors)) {
    const moved = cursors.filter((cursor) => advance(cursor, openMs))
    for (const cursor of moved) {
      const others = moved.filter(({ stretch }) => stretch.coin !== cursor.stretch.coin)
      fillFeatures(
        features,
        cursor.history,
        others.map(({ history }) => history),
      )
      fillVolatilityInputs(inputs, cursor.history)
      write(cursor, features, inputs)
    }
    const before = done
    done += moved.length
    if (Math.floor(before / REPORT_EVERY) !== Math.floor(done / REPORT_EVERY)) onMinutes(done, all)
  }
  onMinutes(all, all)
  return cursors.map(({ rows }) => rows)
}

function open(stretch: Stretch): Cursor {
  const count = stretch.candles.length
  const rows: Rows = {
    coin: stretch.coin,
    count,
    endMs: new Float64Array(count),
    close: new Float64Array(count),
    features: new Float32Array(count * FEATURES.length),
    inputs: new Float32Array(count * VOLATILITY_INPUTS),
    isUsable: new Uint8Array(count),
  }
  return { stretch, history: createMinuteHistory(), rows, next: 0 }
}

function earliest(cursors: readonly Cursor[]): number {
  let openMs = Number.POSITIVE_INFINITY
  for (const { stretch, next } of cursors)
    openMs = Math.min(openMs, stretch.candles[next]?.openMs ?? Number.POSITIVE_INFINITY)
  return openMs
}

function advance(cursor: Cursor, openMs: number): boolean {
  const candle = cursor.stretch.candles[cursor.next]
  if (candle?.openMs !== openMs) return false
  cursor.history.apply(candle)
  cursor.next++
  return true
}

function write({ history, rows, next }: Cursor, features: Float64Array, inputs: Float64Array): void {
  const row = next - 1
  rows.endMs[row] = history.endMs
  rows.close[row] = history.close(0)
  rows.features.set(features, row * FEATURES.length)
  rows.inputs.set(inputs, row * VOLATILITY_INPUTS)
  rows.isUsable[row] = history.count >= DAY_MIN && history.sinceGap > HOUR_MIN ? 1 : 0
}

/** True where the row and the `minutes` after it follow each other without a gap. */
export function hasFuture(rows: Rows, row: number, minutes: number): boolean {
  return (rows.endMs[row + minutes] ?? Number.NaN) - (rows.endMs[row] ?? 0) === minutes * MINUTE_MS
}
