import { createJudge, type Judged } from '../backtest/judge.ts'
import { runCandles } from '../backtest/run-candles.ts'
import type { Coin } from '../core/coin.ts'
import { DAY_MS, MINUTE_MS } from '../core/time/time.ts'
import type { ClosedCandle } from '../signals/history/closed-candle.ts'
import { FEATURE_VERSION, FEATURES } from '../signals/model/features.ts'
import type { Model } from '../signals/model/model.ts'
import type { Regime } from '../signals/signal.ts'
import { createFitter, type Fit } from './fit/fit-model.ts'
import type { Rows } from './history/dataset.ts'
import type { Stretch } from './history/history-files.ts'

/** A scored prediction of a model that was fitted to earlier days only. */
export type OutOfSample = Judged & { coin: Coin; regime: Regime; model: number }

/** Between the last data a model was fitted to and the first window it is scored on. */
export const EMBARGO_MS = DAY_MS
const BLOCK_MONTHS = 2
/** Minutes before a block from which its recalibration and profile learn; nothing is fitted to them. */
const LEAD_IN_MS = 10 * DAY_MS
const WINDOW_MS = 300_000

type Input = {
  stretches: readonly Stretch[]
  dataset: readonly Rows[]
  /** The first block starts here. */
  fromMs: number
  onBlock: (done: number, all: number) => void
  /** The number of the block that a minute is in; by default calendar months, two by two. */
  blockOf?: (openMs: number) => number
  /** The model that may know everything that ended before `untilMs`, which never decreases; by default a new fit. */
  fitUntil?: (untilMs: number) => Model
}

/** For every block: fits to all data before it, then predicts the block. */
export function walkForward({
  stretches,
  dataset,
  fromMs,
  onBlock,
  blockOf = monthsOf,
  fitUntil = fitAnew(dataset),
}: Input): OutOfSample[] {
  const results: OutOfSample[] = []
  const blocks = blocksOf(stretches, fromMs, blockOf)
  for (const [index, { startMs, endMs }] of blocks.entries()) {
    const model = fitUntil(startMs - EMBARGO_MS)
    for (const [which, stretch] of stretches.entries()) {
      const rows = dataset[which]
      if (!rows) continue
      for (const judged of judgeBlock(model, stretch, rows, stretches, startMs, endMs))
        results.push({ ...judged, model: index })
    }
    onBlock(index + 1, blocks.length)
  }
  return results
}

type Block = { startMs: number; endMs: number }

function fitAnew(dataset: readonly Rows[]): (untilMs: number) => Model {
  const fitter = createFitter(dataset)
  return (untilMs) => toModel(fitter.fitUntil(untilMs))
}

function monthsOf(openMs: number): number {
  const date = new Date(openMs)
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / BLOCK_MONTHS)
}

/** Blocks that hold any minutes; each starts with its first minute. */
function blocksOf(
  stretches: readonly Stretch[],
  fromMs: number,
  blockOf: (openMs: number) => number,
): Block[] {
  const blocks = new Map<number, Block>()
  for (const { candles } of stretches)
    for (const { openMs } of candles) {
      if (openMs < fromMs) continue
      const number = blockOf(openMs)
      const block = blocks.get(number)
      if (!block) blocks.set(number, { startMs: openMs, endMs: openMs + MINUTE_MS })
      else {
        block.startMs = Math.min(block.startMs, openMs)
        block.endMs = Math.max(block.endMs, openMs + MINUTE_MS)
      }
    }
  return [...blocks.values()].sort((a, b) => a.startMs - b.startMs)
}

function* judgeBlock(
  model: Model,
  stretch: Stretch,
  rows: Rows,
  stretches: readonly Stretch[],
  startMs: number,
  endMs: number,
): Generator<Omit<OutOfSample, 'model'>> {
  const slice = (candles: readonly ClosedCandle[]) =>
    candles.filter(({ openMs }) => openMs >= startMs - LEAD_IN_MS && openMs < endMs)
  const candles = slice(stretch.candles)
  const last = candles.at(-1)
  if (!last || last.openMs < startMs) return
  const context = stretches.filter(({ coin }) => coin !== stretch.coin).map((other) => slice(other.candles))
  const judge = createJudge(candles)
  const usable = usableStarts(rows)
  const others = context.filter((other) => other.length > 0)
  const { sampleAt } = stretch
  for (const prediction of runCandles({ model, candles, context: others, fromMs: startMs, sampleAt })) {
    const judged = usable.has(prediction.windowStartS) ? judge(prediction) : undefined
    if (judged && judged.windowStartS * 1000 + WINDOW_MS <= endMs)
      yield { ...judged, coin: stretch.coin, regime: prediction.regime }
  }
}

/** Windows with a day of history and no gap in the hour before. */
function usableStarts(rows: Rows): Set<number> {
  const starts = new Set<number>()
  rows.endMs.forEach((endMs, row) => {
    if (rows.isUsable[row] && endMs % WINDOW_MS === 0) starts.add(endMs / 1000)
  })
  return starts
}

function toModel({ volatility, profile, heads }: Fit): Model {
  return {
    name: 'walk-forward',
    feature_version: FEATURE_VERSION,
    features: [...FEATURES],
    trained: { from: '', to: '', minutes: 0, windows: 0, data_sha256: '' },
    volatility,
    profile,
    heads,
    abstain_below: 0.5,
    metrics: {},
  }
}
