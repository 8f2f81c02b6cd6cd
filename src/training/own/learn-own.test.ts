import { describe, expect, test } from 'vitest'
import type { Coin } from '../../core/coin.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { loadModel } from '../../signals/model/load-model.ts'
import { OWN_FEATURES } from '../../signals/model/own/own-features.ts'
import { parseOwnModel } from '../../signals/model/own/own-model.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { searchSize } from '../../testing/search-size.ts'
import { HISTORY_START_MS, sampleHistory, writeHistory } from '../../testing/signals/sample-history.ts'
import { learnOwn, objectionTo } from './learn-own.ts'
import { readOwnHistory } from './own-history.ts'
import { toOwnModel } from './own-model-file.ts'

const base = loadModel()
const shipped = { model: base, knowsMs: Date.parse(base.trained.to) }
const TOLD = OWN_FEATURES.indexOf('binance_imbalance_1')

async function historyOf(
  seed: string,
  { told = 0, days = 21, coins = ['BTC'] }: { told?: number; days?: number; coins?: Coin[] } = {},
) {
  const folder = temporaryDir()
  await writeHistory(folder, sampleHistory({ seed, coins, days, told }))
  return readOwnHistory(folder, () => {})
}
const learn = (history: Awaited<ReturnType<typeof historyOf>>, current = shipped) => {
  const lesson = learnOwn({ history, base, current, onStep: () => {} })
  if (typeof lesson === 'string') throw new Error(lesson)
  return lesson
}

describe('a history in which the book tells something', () => {
  test('is learnt from and adopted, and what was learnt is where it was told', {
    timeout: 120_000,
  }, async () => {
    const history = await historyOf('told', { told: 0.15 })
    const lesson = learn(history)
    expect(objectionTo(lesson.comparison)).toBeUndefined()
    expect(lesson.comparison.overall).toMatchObject({ days: 12, count: 5 * (12 * 288 - 1) + 5 })
    const [start = []] = lesson.weights
    expect(start[TOLD]).toBeGreaterThan(0.2)
    expect(start[OWN_FEATURES.indexOf('funding')]).toBe(0)
    const model = toOwnModel(base, lesson, history.sha256)
    expect(parseOwnModel(JSON.parse(JSON.stringify(model)), base)).toEqual(model)
    expect(model.name).toMatch(new RegExp(`^${base.name}-own-1-[0-9a-f]{8}$`))
    // Once it runs, the same days are no longer new to it.
    const adopted = { model: base, knowsMs: Date.parse(model.trained.to) }
    expect(learnOwn({ history, base, current: adopted, onStep: () => {} })).toMatch(
      /^0 days of it are new to both models, and 10 are needed/,
    )
  })
})

const SEEDS = searchSize('noise-histories')
test(`a history of noise is not adopted, ${SEEDS} times`, { timeout: 600_000 }, async () => {
  for (let seed = 0; seed < SEEDS; seed++) {
    const { comparison } = learn(await historyOf(`noise ${seed}`))
    expect([seed, objectionTo(comparison)]).toEqual([
      seed,
      expect.stringMatching(/not better .* by more than noise/),
    ])
  }
})

test('nineteen days are too few, and so are days that the current model has seen', async () => {
  const history = await historyOf('short', { days: 19, coins: ['BTC'] })
  const say = (days: number, knowsMs: number) =>
    learnOwn({ history: { ...history, days }, base, current: { model: base, knowsMs }, onStep: () => {} })
  expect(say(19, 0)).toBe('the history has 19 days, and 20 are needed: let the service run on')
  expect(say(20, HISTORY_START_MS + 9 * DAY_MS)).toMatch(/^9 days of it are new to both models/)
})

test('better in all but worse at one minute is no reason to adopt', () => {
  const gain = { count: 9, days: 12, gain: 1, interval: [0.5, 2] as const, logLoss: 0.6 }
  const at = (offsetS: number, interval: readonly [number, number]) => ({ ...gain, offsetS, interval })
  expect(objectionTo({ overall: gain, byOffset: [at(0, [-1, 1]), at(60, [0.1, 2])] })).toBeUndefined()
  expect(objectionTo({ overall: gain, byOffset: [at(0, [-2, -0.1])] })).toMatch(
    /worse than the current one 0 s into/,
  )
  expect(objectionTo({ overall: { ...gain, interval: [0, 2] }, byOffset: [] })).toMatch(/by more than noise/)
  expect(objectionTo({ overall: { ...gain, days: 9 }, byOffset: [] })).toMatch(/only 9 days/)
})
