import { describe, expect, test } from 'vitest'
import { createJudge } from '../../backtest/judge.ts'
import { scoresOf } from '../../backtest/metrics/scores.ts'
import { runCandles } from '../../backtest/run-candles.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'
import { randomCandles } from '../../testing/signals/random-candles.ts'
import { sampleModel } from '../../testing/signals/sample-model.ts'
import { buildDataset } from '../history/dataset.ts'
import { createFitter, type Fit } from './fit-model.ts'

const DAY_MIN = 1_440
const TRAIN_DAYS = 20
const TEST_DAYS = 10
const VOLATILITY = 6e-4

function minutes(carry: number, seed: string): ClosedCandle[] {
  return randomCandles({
    seed,
    count: (TRAIN_DAYS + TEST_DAYS) * DAY_MIN,
    carry,
    volatility: VOLATILITY,
    common: 0,
  })
}
const splitMs = (candles: readonly ClosedCandle[]) => candles[TRAIN_DAYS * DAY_MIN]?.openMs ?? 0

function fitted(candles: readonly ClosedCandle[]): Fit {
  const dataset = buildDataset([{ coin: 'BTC', file: 'BTC.csv', candles }], () => {})
  return createFitter(dataset).fitUntil(splitMs(candles))
}

/** Scores of the days that the fit has not seen, by moment of their windows. */
function judgedBy(candles: readonly ClosedCandle[], { volatility, profile, heads }: Fit) {
  const judge = createJudge(candles)
  const model = sampleModel('fitted', { volatility, profile, heads })
  const predictions = [...runCandles({ model, candles, context: [], fromMs: splitMs(candles) })]
  const all = predictions.flatMap((prediction) => judge(prediction) ?? [])
  return (offsetS: number) => {
    const judged = all.filter((each) => each.offsetS === offsetS)
    return scoresOf({
      startsS: Float64Array.from(judged, ({ windowStartS }) => windowStartS),
      probabilities: Float64Array.from(judged, ({ probabilityUp }) => probabilityUp),
      outcomes: Uint8Array.from(judged, ({ isUp }) => Number(isUp)),
      reference: Float64Array.from(judged, ({ diffusion }) => diffusion),
    })
  }
}

/**
 * Each move hands on `carry` of itself, so the next five hold Σ carryⁿ of the last one. Of two normal numbers with
 * correlation ρ the signs agree with a probability of ½ + asin(ρ)/π.
 */
function plantedHit(carry: number): number {
  let [handed, spread] = [0, 0]
  for (let n = 1; n <= 5; n++) handed += carry ** n
  for (let n = 1; n <= 5; n++) spread += ((1 - carry ** n) / (1 - carry)) ** 2
  const signal = handed ** 2 / (1 - carry * carry)
  return 0.5 + Math.asin(Math.sqrt(signal / (signal + spread))) / Math.PI
}

describe('a planted edge', () => {
  const carry = -0.4
  const candles = minutes(carry, 'edge')
  const fit = fitted(candles)
  const scoresAt = judgedBy(candles, fit)

  test('is found at the opening: as often right on unseen days as it can be, and calibrated', () => {
    const { hit, count, ece, eceNoiseFloor } = scoresAt(0)
    expect(plantedHit(carry)).toBeGreaterThan(0.54)
    expect(count).toBe(TEST_DAYS * 288)
    expect(Math.abs(hit - plantedHit(carry))).toBeLessThan(3 * Math.sqrt(0.25 / count))
    expect(ece).toBeLessThan(2 * eceNoiseFloor)
  })

  test.each([60, 120, 180, 240])('leaves what is said %i s in calibrated', (offsetS) => {
    const { ece, eceNoiseFloor } = scoresAt(offsetS)
    expect(ece).toBeLessThan(2.2 * eceNoiseFloor)
  })

  test('is used inside the window too: late in it better than diffusion, which overrates what is to come', () => {
    for (const offsetS of [120, 180, 240]) expect(scoresAt(offsetS).skill).toBeGreaterThan(0.005)
  })
})

describe('where there is none', () => {
  const candles = minutes(0, 'none')
  const fit = fitted(candles)
  const scoresAt = judgedBy(candles, fit)

  test('none is claimed', () => {
    const { hit, count, selective } = scoresAt(0)
    expect(Math.abs(hit - 0.5)).toBeLessThan(3 * Math.sqrt(0.25 / count))
    for (const { stated } of selective) expect(stated).toBeLessThan(0.56)
  })

  test('a diffusion is recognised: usual minutes alike, and as good as Φ(z)', () => {
    for (const share of fit.profile) expect(share).toBeCloseTo(fit.profile[0] ?? 0, 1)
    const { skill, ece, eceNoiseFloor } = scoresAt(120)
    expect(skill).toBeGreaterThan(-0.01)
    expect(ece).toBeLessThan(2.2 * eceNoiseFloor)
  })

  test('fitting step by step comes to what fitting at once does', () => {
    const dataset = buildDataset([{ coin: 'BTC', file: 'BTC.csv', candles }], () => {})
    const stepwise = createFitter(dataset)
    for (const day of [8, 14]) stepwise.fitUntil(candles[day * DAY_MIN]?.openMs ?? 0)
    const late = stepwise.fitUntil(splitMs(candles))
    // Both end a few steps short of the optimum, from different sides: far nearer than the sample tells it.
    late.heads.forEach((head, at) => {
      head.weights.forEach((weight, which) => {
        expect(weight).toBeCloseTo(fit.heads[at]?.weights[which] ?? Number.NaN, 2)
      })
      expect(head.slope).toBeCloseTo(fit.heads[at]?.slope ?? Number.NaN, 1)
    })
    expect(late.volatility.intercept).toBeCloseTo(fit.volatility.intercept, 6)
  })
})

test('no history is an error', () => {
  expect(() => createFitter([]).fitUntil(0)).toThrow(/no history/)
})
