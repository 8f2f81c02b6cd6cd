import { expect, test } from 'vitest'
import { createDraws, createRandomStream } from '../../core/math/random.ts'
import { dayIntervalsOf } from './day-bootstrap.ts'

const DAY_S = 86_400
const PER_DAY = 48

/** Windows of some days whose hit rate differs from day to day around `mean`. */
function days(count: number, seed: string, mean: number, spread: number) {
  const draws = createDraws(createRandomStream('days', seed))
  const startsS: number[] = []
  const sums: number[] = []
  for (let day = 0; day < count; day++) {
    const rate = mean + spread * draws.normal()
    for (let window = 0; window < PER_DAY; window++) {
      startsS.push(day * DAY_S + window * 1_800)
      sums.push(1, draws.uniform() < rate ? 1 : 0)
    }
  }
  return { startsS: Float64Array.from(startsS), sums: Float64Array.from(sums) }
}

const hitRate = ([count = 0, hits = 0]: Float64Array) => [hits / count]
const intervalOf = (seed: string, spread: number) => {
  const { startsS, sums } = days(40, seed, 0.55, spread)
  return dayIntervalsOf(startsS, sums, 2, hitRate)[0] ?? [Number.NaN, Number.NaN]
}

test.each([0, 0.1])('holds the true rate about 95 times in 100, days differing by %f', (spread) => {
  const runs = 150
  let held = 0
  for (let run = 0; run < runs; run++) {
    const [lower, upper] = intervalOf(`${spread} ${run}`, spread)
    if (lower <= 0.55 && upper >= 0.55) held++
  }
  expect(held / runs).toBeGreaterThan(0.87)
  expect(held / runs).toBeLessThan(1)
})

test('is wider where days differ: windows of a day are not independent', () => {
  const width = ([lower, upper]: readonly [number, number]) => upper - lower
  expect(width(intervalOf('wide', 0.15)) / width(intervalOf('wide', 0))).toBeGreaterThan(1.5)
})

test('is the same for the same windows, in whatever order they come', () => {
  const { startsS, sums } = days(10, 'order', 0.5, 0.1)
  const whole = dayIntervalsOf(startsS, sums, 2, hitRate)
  expect(dayIntervalsOf(startsS, sums, 2, hitRate)).toEqual(whole)
})

test('has a figure for each asked, and no width where nothing differs', () => {
  const startsS = Float64Array.of(0, DAY_S, 2 * DAY_S)
  const sums = Float64Array.of(1, 3, 1, 3, 1, 3)
  const figures = dayIntervalsOf(startsS, sums, 2, ([count = 0, sum = 0]) => [sum / count, sum])
  expect(figures).toEqual([
    [3, 3],
    [9, 9],
  ])
})

test('days are those of UTC', () => {
  // Two windows before midnight, two after: a resample of two days has 0, 2 or 4 hits, never an odd number.
  const startsS = Float64Array.of(DAY_S - 600, DAY_S - 300, DAY_S, DAY_S + 300)
  const seen = new Set<number>()
  dayIntervalsOf(startsS, Float64Array.of(1, 1, 1, 1, 1, 0, 1, 0), 2, ([, hits = 0]) => {
    seen.add(hits)
    return [hits]
  })
  expect([...seen].sort()).toEqual([0, 2, 4])
})
