import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readBars } from '../src/backtest/bars-file.ts'
import { lineOf } from '../src/backtest/prediction-line.ts'
import { runBars } from '../src/backtest/run-bars.ts'
import { COINS } from '../src/core/coin.ts'
import { createDraws, createRandomStream, type Draws } from '../src/core/math/random.ts'
import { MINUTE_MS } from '../src/core/time.ts'
import type { Bar } from '../src/signals/history/bar.ts'
import { searchSize } from '../src/testing/search-size.ts'
import { randomBars, without } from '../src/testing/signals/random-bars.ts'
import { sampleModel } from '../src/testing/signals/sample-model.ts'

const WINDOWS = searchSize('leaks')
/** Minutes from the start of what is replayed to the last decision moment. */
const SPAN = 840
const AFTER = 60
const model = sampleModel('leak')

type World = { own: readonly Bar[]; context: readonly (readonly Bar[])[] }

function linesOf({ own, context }: World): { asOfS: number; line: string }[] {
  return Array.from(runBars({ model, bars: own, context }), (prediction) => ({
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

/** What else the future might have been. Bars known at the moment, those that end by it, stay. */
function futures(draws: Draws): Record<string, (future: readonly Bar[]) => readonly Bar[]> {
  return {
    cut: () => [],
    shuffled: (future) => shuffledPrices(future, draws),
    corrupted: (future) =>
      future.map((bar) => {
        const [a, b] = [Math.exp(5 * draws.normal()), Math.exp(5 * draws.normal())]
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        return { openMs: bar.openMs, open: low, high, low, close: high, volume: 1e9 * draws.uniform() }
      }),
    thinned: (future) => future.filter(() => draws.uniform() < 0.5),
  }
}

function shuffledPrices(future: readonly Bar[], draws: Draws): Bar[] {
  const prices = future.map((bar) => bar)
  for (let i = prices.length - 1; i > 0; i--) {
    const j = draws.below(i + 1)
    ;[prices[i], prices[j]] = [prices[j] as Bar, prices[i] as Bar]
  }
  return prices.map((bar, at) => ({ ...bar, openMs: future[at]?.openMs ?? 0 }))
}

function changed(
  bars: readonly Bar[],
  atMs: number,
  change: (future: readonly Bar[]) => readonly Bar[],
): Bar[] {
  const isKnown = ({ openMs }: Bar) => openMs + MINUTE_MS <= atMs
  return [...bars.filter(isKnown), ...change(bars.filter((bar) => !isKnown(bar)))]
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
    const inside = ({ openMs }: Bar) => openMs >= startMs && openMs < endMs
    const world = { own: stretch, context: history.context.map((bars) => bars.filter(inside)) }
    const moment = stretch[SPAN - 1 - draws.below(60)]
    const atMs = (moment?.openMs ?? 0) + MINUTE_MS
    const expected = saidBy(linesOf(world), atMs / 1000)
    compared += expected.length
    // One kind of future per window, by turns: each is met in a quarter of them.
    const [, future] = Object.entries(futures(draws))[window % 4] ?? []
    if (!future) throw new Error('no such future')
    const other = {
      own: changed(world.own, atMs, future),
      context: world.context.map((bars) => changed(bars, atMs, future)),
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
    without(randomBars({ seed, count: 12_000 }), 3_000 + 500 * at, 3_040 + 503 * at),
  ) as [Bar[], ...Bar[][]]

  test(`in ${WINDOWS} windows of generated minutes`, () => {
    const [own, ...context] = history
    expect(expectNoLeak({ own, context }, 'generated')).toBeGreaterThan(WINDOWS * 7_000)
  })

  test('while what comes before it does: the test can fail', () => {
    const [own, ...context] = history.map((bars) => bars.slice(0, SPAN)) as [Bar[], ...Bar[][]]
    const end = (own.at(-1)?.openMs ?? 0) / 1000 + 60
    const lines = saidBy(linesOf({ own, context }), end)
    const touch = (bars: Bar[]) =>
      bars.map((bar, at) => (at === SPAN - 2 ? { ...bar, close: (bar.close + bar.high) / 2 } : bar))
    expect(saidBy(linesOf({ own: touch(own), context }), end)).not.toBe(lines)
    const wild = (bars: Bar[]) =>
      bars.map((bar, at) => (at === SPAN - 2 ? { ...bar, close: bar.close * 1.05 } : bar))
    expect(saidBy(linesOf({ own, context: context.map(wild) }), end)).not.toBe(lines)
  })

  const folder = new URL('../../shared/data/dev/klines/', import.meta.url)
  const files = COINS.map((coin) =>
    fileURLToPath(new URL(`${coin}USDT_1m_spot_20250101_20250204.csv.gz`, folder)),
  )
  const isThere = files.every(existsSync)
  if (!isThere) console.log('skipped: no recorded minutes beside the project to look for leaks in')

  test.skipIf(!isThere)(`in ${WINDOWS} windows of recorded minutes`, async () => {
    const [own, ...context] = (await Promise.all(files.map(readBars))) as [Bar[], ...Bar[][]]
    expect(expectNoLeak({ own, context }, 'recorded')).toBeGreaterThan(WINDOWS * 7_000)
  })
})
