import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readCandles } from '../src/backtest/candle-file.ts'
import { lineOf } from '../src/backtest/prediction-line.ts'
import { runCandles } from '../src/backtest/run-candles.ts'
import { COINS } from '../src/core/coin.ts'
import { createDraws, createRandomStream, type Draws } from '../src/core/math/random.ts'
import { MINUTE_MS } from '../src/core/time/time.ts'
import type { ClosedCandle } from '../src/signals/history/closed-candle.ts'
import { isMissing } from '../src/testing/missing.ts'
import { searchSize } from '../src/testing/search-size.ts'
import { randomCandles, without } from '../src/testing/signals/random-candles.ts'
import { sampleModel } from '../src/testing/signals/sample-model.ts'

const WINDOWS = searchSize('leaks')
/** Minutes from the start of what is replayed to the last decision moment. */
const SPAN = 840
const AFTER = 60
const model = sampleModel('leak')

type World = { own: readonly ClosedCandle[]; context: readonly (readonly ClosedCandle[])[] }

function linesOf({ own, context }: World): { asOfS: number; line: string }[] {
  return Array.from(runCandles({ model, candles: own, context }), (prediction) => ({
    asOfS: prediction.asOfS,
    line: lineOf('BTCUSDT', prediction),
  }))
}

/** The bytes said at or before the moment. */
const saidBy = (lines: readonly { asOfS: number; line: string }[], asOfS: number) =>
  lines
    .filter((each) => each.asOfS <= asOfS)
    .map(({ line }) => line)
    .join('')

/** What else the future might have been. Candles known at the moment, those that end by it, stay. */
function futures(draws: Draws): Record<string, (future: readonly ClosedCandle[]) => readonly ClosedCandle[]> {
  return {
    cut: () => [],
    shuffled: (future) => shuffledPrices(future, draws),
    corrupted: (future) =>
      future.map((candle) => {
        const [a, b] = [Math.exp(5 * draws.normal()), Math.exp(5 * draws.normal())]
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        return { openMs: candle.openMs, open: low, high, low, close: high, volume: 1e9 * draws.uniform() }
      }),
    thinned: (future) => future.filter(() => draws.uniform() < 0.5),
  }
}

function shuffledPrices(future: readonly ClosedCandle[], draws: Draws): ClosedCandle[] {
  const prices = future.map((candle) => candle)
  for (let i = prices.length - 1; i > 0; i--) {
    const j = draws.below(i + 1)
    ;[prices[i], prices[j]] = [prices[j] as ClosedCandle, prices[i] as ClosedCandle]
  }
  return prices.map((candle, at) => ({ ...candle, openMs: future[at]?.openMs ?? 0 }))
}

function changed(
  candles: readonly ClosedCandle[],
  atMs: number,
  change: (future: readonly ClosedCandle[]) => readonly ClosedCandle[],
): ClosedCandle[] {
  const isKnown = ({ openMs }: ClosedCandle) => openMs + MINUTE_MS <= atMs
  return [...candles.filter(isKnown), ...change(candles.filter((candle) => !isKnown(candle)))]
}

/** Random stretches of the history, each with a random moment; every kind of future, own and others', must not be felt. */
function expectNoLeak(history: World, seed: string): number {
  const draws = createDraws(createRandomStream('leak', seed))
  const last = history.own.length - SPAN - AFTER
  let compared = 0
  for (let window = 0; window < WINDOWS; window++) {
    const from = draws.below(Math.max(1, last))
    const stretch = history.own.slice(from, from + SPAN + AFTER)
    const [startMs, endMs] = [stretch[0]?.openMs ?? 0, (stretch.at(-1)?.openMs ?? 0) + MINUTE_MS]
    const inside = ({ openMs }: ClosedCandle) => openMs >= startMs && openMs < endMs
    const world = { own: stretch, context: history.context.map((candles) => candles.filter(inside)) }
    const moment = stretch[SPAN - 1 - draws.below(60)]
    const atMs = (moment?.openMs ?? 0) + MINUTE_MS
    const expected = saidBy(linesOf(world), atMs / 1000)
    compared += expected.length
    // One kind of future per window, by turns: each is met in a quarter of them.
    const [, future] = Object.entries(futures(draws))[window % 4] ?? []
    if (!future) throw new Error('no such future')
    const other = {
      own: changed(world.own, atMs, future),
      context: world.context.map((candles) => changed(candles, atMs, future)),
    }
    expect(saidBy(linesOf(other), atMs / 1000)).toBe(expected)
    const onlyTheirs = { own: world.own, context: other.context }
    if (window % 2 === 0) expect(saidBy(linesOf(onlyTheirs), atMs / 1000)).toBe(expected)
  }
  console.info(`leaks: ${WINDOWS} ${seed} windows with another future, ${compared} bytes compared`)
  return compared
}

describe('what comes after a prediction does not change a byte of it', () => {
  const history = ['a', 'b', 'c', 'd'].map((seed, at) =>
    // Gaps of their own, so that others are at times ahead or behind.
    without(randomCandles({ seed, count: 12_000 }), 3_000 + 500 * at, 3_040 + 503 * at),
  ) as [ClosedCandle[], ...ClosedCandle[][]]

  test(`in ${WINDOWS} windows of generated minutes`, () => {
    const [own, ...context] = history
    expect(expectNoLeak({ own, context }, 'generated')).toBeGreaterThan(WINDOWS * 7_000)
  })

  test('while what comes before it does: the test can fail', () => {
    const [own, ...context] = history.map((candles) => candles.slice(0, SPAN)) as [
      ClosedCandle[],
      ...ClosedCandle[][],
    ]
    const end = (own.at(-1)?.openMs ?? 0) / 1000 + 60
    const lines = saidBy(linesOf({ own, context }), end)
    const touch = (candles: ClosedCandle[]) =>
      candles.map((candle, at) =>
        at === SPAN - 2 ? { ...candle, close: (candle.close + candle.high) / 2 } : candle,
      )
    expect(saidBy(linesOf({ own: touch(own), context }), end)).not.toBe(lines)
    const wild = (candles: ClosedCandle[]) =>
      candles.map((candle, at) => (at === SPAN - 2 ? { ...candle, close: candle.close * 1.05 } : candle))
    expect(saidBy(linesOf({ own, context: context.map(wild) }), end)).not.toBe(lines)
  })

  const folder = new URL('../../shared/data/dev/klines/', import.meta.url)
  const files = COINS.map((coin) =>
    fileURLToPath(new URL(`${coin}USDT_1m_spot_20250101_20250204.csv.gz`, folder)),
  )

  test.skipIf(isMissing('recordedMarket', files.every(existsSync)))(
    `in ${WINDOWS} windows of recorded minutes`,
    async () => {
      const [own, ...context] = (await Promise.all(files.map(readCandles))) as [
        ClosedCandle[],
        ...ClosedCandle[][],
      ]
      expect(expectNoLeak({ own, context }, 'recorded')).toBeGreaterThan(WINDOWS * 7_000)
    },
  )
})
