import { describe, expect, test } from 'vitest'
import { logistic } from '../../core/math/logistic.ts'
import { createDraws, createRandomStream } from '../../core/math/random.ts'
import { calibrationErrorOf, reliabilityOf } from './calibration-error.ts'

function forecasts(count: number, seed: string, truth: (p: number) => number = (p) => p) {
  const draws = createDraws(createRandomStream('forecasts', seed))
  const probabilities = new Float64Array(count)
  const outcomes = new Uint8Array(count)
  for (let at = 0; at < count; at++) {
    const p = logistic(0.8 * draws.normal())
    probabilities[at] = p
    outcomes[at] = draws.uniform() < truth(p) ? 1 : 0
  }
  return { probabilities, outcomes }
}

describe('expected calibration error', () => {
  test.each([500, 5_000])('of calibrated forecasts is its noise floor on average, %i at a time', (count) => {
    const runs = Array.from({ length: 120 }, (_, run) => {
      const { probabilities, outcomes } = forecasts(count, `${count} ${run}`)
      return calibrationErrorOf(probabilities, outcomes)
    })
    const mean = (pick: (run: (typeof runs)[number]) => number) =>
      runs.reduce((sum, run) => sum + pick(run), 0) / runs.length
    expect(mean(({ ece }) => ece) / mean(({ noiseFloor }) => noiseFloor)).toBeGreaterThan(0.92)
    expect(mean(({ ece }) => ece) / mean(({ noiseFloor }) => noiseFloor)).toBeLessThan(1.08)
  })

  test('finds a planted miscalibration', () => {
    const { probabilities, outcomes } = forecasts(100_000, 'biased', (p) => Math.min(1, p + 0.05))
    const { ece, noiseFloor } = calibrationErrorOf(probabilities, outcomes)
    expect(ece).toBeGreaterThan(0.045)
    expect(ece).toBeLessThan(0.055)
    expect(noiseFloor).toBeLessThan(0.005)
  })

  test('by hand: ten bins of two', () => {
    const probabilities = Float64Array.from({ length: 20 }, (_, at) => Math.floor(at / 2) / 10 + 0.05)
    // Every bin has one UP of two: it is off by |stated − 0.5|.
    const outcomes = Uint8Array.from({ length: 20 }, (_, at) => at % 2)
    expect(calibrationErrorOf(probabilities, outcomes).ece).toBeCloseTo(0.25, 12)
  })

  test('a certainty that was wrong is off by one', () => {
    expect(calibrationErrorOf(Float64Array.of(1), Uint8Array.of(0))).toEqual({ ece: 1, noiseFloor: 0 })
  })
})

describe('bins', () => {
  test('hold as many each, lowest first, whatever the order of the forecasts', () => {
    const { probabilities, outcomes } = forecasts(1_000, 'bins')
    const bins = reliabilityOf(probabilities, outcomes)
    expect(bins.map(({ count }) => count)).toEqual(new Array(10).fill(100))
    const stated = bins.map((bin) => bin.stated)
    expect(stated).toEqual([...stated].sort((a, b) => a - b))
    const lowest = [...probabilities].sort((a, b) => a - b).slice(0, 100)
    expect(stated[0]).toBeCloseTo(lowest.reduce((sum, p) => sum + p, 0) / 100, 12)
    expect(reliabilityOf(probabilities.toReversed(), outcomes.toReversed())).toEqual(
      bins.map((bin) => closeTo(bin)),
    )
  })

  test('none is empty where there are fewer forecasts than bins, or none at all', () => {
    expect(reliabilityOf(Float64Array.of(0.2, 0.8), Uint8Array.of(0, 1))).toEqual([
      { count: 1, stated: 0.2, seen: 0 },
      { count: 1, stated: 0.8, seen: 1 },
    ])
    expect(reliabilityOf(new Float64Array(), new Uint8Array())).toEqual([])
  })
})

/** Sums in another order are rounded otherwise. */
function closeTo({ count, stated, seen }: { count: number; stated: number; seen: number }) {
  return { count, stated: expect.closeTo(stated, 9), seen }
}
