import { expect, test } from 'vitest'
import { createDraws, createRandomStream } from '../core/math/random.ts'
import { abstainBelow } from './abstain.ts'
import type { OutOfSample } from './walk-forward.ts'

/** Windows whose stated confidence is spread over 0.5..0.6 and right as often as `truth` says. */
function results(truth: (confidence: number) => number, count = 100_000): OutOfSample[] {
  const draws = createDraws(createRandomStream('abstain', 'windows'))
  return Array.from({ length: count }, (_, at) => {
    const confidence = 0.5 + 0.1 * draws.uniform()
    const isUpSaid = draws.uniform() < 0.5
    const isHit = draws.uniform() < truth(confidence)
    return {
      offsetS: 0,
      windowStartS: 300 * at,
      probabilityUp: isUpSaid ? confidence : 1 - confidence,
      isUp: isUpSaid === isHit,
      diffusion: 0.5,
      hourVolatility: 1,
      coin: 'BTC',
      regime: 'neutral',
      model: 0,
    }
  })
}

test('a calibrated forecast abstains only near one half', () => {
  const bound = abstainBelow(results((confidence) => confidence))
  // A twentieth is 5,000 windows: three standard errors are two points.
  expect(bound).toBeGreaterThan(0.51)
  expect(bound).toBeLessThan(0.535)
})

test('one that is right only when it is most confident abstains up to there', () => {
  const bound = abstainBelow(results((confidence) => (confidence > 0.57 ? 0.6 : 0.5)))
  expect(bound).toBeGreaterThan(0.565)
  expect(bound).toBeLessThan(0.577)
})

test('one that is no better than a coin flip always abstains, and so does one without windows', () => {
  expect(abstainBelow(results(() => 0.5))).toBe(1)
  expect(abstainBelow([])).toBe(1)
})

test('only predictions at window start count', () => {
  const inside = results(() => 0.9).map((row) => ({ ...row, offsetS: 240 }))
  expect(abstainBelow([...inside, ...results(() => 0.5)])).toBe(1)
})
