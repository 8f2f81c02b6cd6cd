import { describe, expect, test } from 'vitest'
import { createDraws, createRandomStream } from '../../core/math/random.ts'
import { scoresOf } from './scores.ts'

const DAY_S = 86_400

function scored(rows: readonly (readonly [p: number, up: 0 | 1, reference?: number, day?: number])[]) {
  return {
    startsS: Float64Array.from(rows, ([, , , day = 0], at) => day * DAY_S + at * 300),
    probabilities: Float64Array.from(rows, ([p]) => p),
    outcomes: Uint8Array.from(rows, ([, up]) => up),
    reference: Float64Array.from(rows, ([, , reference = 0.5]) => reference),
  }
}

describe('by hand', () => {
  const scores = scoresOf(
    scored([
      [0.8, 1, 0.5],
      [0.4, 0, 0.5, 1],
      [0.6, 0, 0.5, 1],
      [0.5, 1, 0.5, 2],
    ]),
  )

  test('counts windows, days, hits and ups; one half says UP', () => {
    expect(scores).toMatchObject({ count: 4, days: 3, hit: 0.75, baseRate: 0.5 })
  })

  test('Brier, log loss and skill over the reference', () => {
    const brier = (0.04 + 0.16 + 0.36 + 0.25) / 4
    expect(scores.brier).toBeCloseTo(brier, 12)
    expect(scores.referenceBrier).toBeCloseTo(0.25, 12)
    expect(scores.skill).toBeCloseTo(1 - brier / 0.25, 12)
    expect(scores.logLoss).toBeCloseTo(
      -(Math.log(0.8) + Math.log(0.6) + Math.log(0.4) + Math.log(0.5)) / 4,
      12,
    )
  })

  test('the most confident half are the two furthest from one half', () => {
    // 0.8 was right; of 0.4 and 0.6, equally confident, the earlier counts, and it was right.
    expect(scores.selective[0]).toEqual({ share: 0.5, count: 2, hit: 1, stated: expect.closeTo(0.7, 12) })
  })
})

test('a wrong certainty costs much but stays finite', () => {
  const { logLoss } = scoresOf(scored([[1, 0]]))
  expect(logLoss).toBeGreaterThan(20)
  expect(Number.isFinite(logLoss)).toBe(true)
})

describe('on many windows', () => {
  const draws = createDraws(createRandomStream('scores', 'windows'))
  const rows = Array.from({ length: 20_000 }, (_, at) => {
    const p = 0.3 + 0.4 * draws.uniform()
    return [p, draws.uniform() < p ? 1 : 0, 0.5, Math.floor(at / 288)] as const
  })
  const scores = scoresOf(scored(rows))

  test('intervals hold their figures', () => {
    expect(scores.hitInterval[0]).toBeLessThan(scores.hit)
    expect(scores.hitInterval[1]).toBeGreaterThan(scores.hit)
    expect(scores.skillInterval[0]).toBeLessThan(scores.skill)
    expect(scores.skillInterval[1]).toBeGreaterThan(scores.skill)
    // A calibrated forecast spread evenly over 0.3..0.7 has a skill of 4·Var(p).
    expect(scores.skill).toBeCloseTo((4 * 0.16) / 12, 2)
  })

  test('more confident forecasts are right more often, as often as they state', () => {
    const hits = scores.selective.map(({ hit }) => hit)
    expect(scores.selective.map(({ share, count }) => [share, count])).toEqual([
      [0.5, 10_000],
      [0.2, 4_000],
      [0.1, 2_000],
      [0.05, 1_000],
    ])
    expect(hits[1]).toBeGreaterThan(hits[0] ?? 1)
    expect(hits[0]).toBeGreaterThan(scores.hit)
    for (const { count, hit, stated } of scores.selective)
      expect(Math.abs(hit - stated)).toBeLessThan(3 * Math.sqrt(0.25 / count))
  })

  test('calibration is near its floor', () => {
    expect(scores.ece).toBeLessThan(2 * scores.eceNoiseFloor)
  })
})
