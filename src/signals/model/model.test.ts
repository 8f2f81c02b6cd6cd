import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isMissing } from '../../testing/missing.ts'
import { randomCandles } from '../../testing/signals/random-candles.ts'
import { sampleModel } from '../../testing/signals/sample-model.ts'
import { createMinuteHistory } from '../history/minute-history.ts'
import { createForecaster } from './forecaster.ts'
import { loadModel } from './load-model.ts'
import { parseModel } from './model.ts'

const good = () => JSON.parse(JSON.stringify(sampleModel())) as Record<string, unknown> & { heads: object[] }

test('what was written is read back', () => {
  expect(parseModel(good())).toEqual(sampleModel())
})

describe('refused', () => {
  test('another feature version, with what to do about it', () => {
    expect(() => parseModel({ ...good(), feature_version: 99 })).toThrow(/version 99.*tollbook train/)
    // The version is told first, whatever else the other version has changed.
    expect(() => parseModel({ feature_version: 99 })).toThrow(/version 99/)
  })

  test('features of other names, in another order, or of another number', () => {
    const { features } = sampleModel()
    const [first = '', second = '', ...rest] = features
    for (const others of [
      [second, first, ...rest],
      ['new', second, ...rest],
      [...features, 'new'],
      features.slice(1),
    ])
      expect(() => parseModel({ ...good(), features: others })).toThrow(/names other features/)
  })

  test.each([
    ['no heads', { heads: [] }],
    ['a head too few', { heads: sampleModel().heads.slice(1) }],
    [
      'a head with a weight too few',
      { heads: sampleModel().heads.map((head) => ({ ...head, weights: [1] })) },
    ],
    ['a slope that is no number', { heads: sampleModel().heads.map((head) => ({ ...head, slope: null })) }],
    [
      'an infinite intercept',
      { heads: sampleModel().heads.map((head) => ({ ...head, intercept: Infinity })) },
    ],
    ['volatility weights of another number', { volatility: { weights: [1], intercept: 0 } }],
    ['a minute without variance', { profile: [1, 1, 0, 1, 1] }],
    ['a negative variance', { profile: [1, 1, -1, 1, 1] }],
    ['a bound below one half', { abstain_below: 0.4 }],
    ['a bound above one', { abstain_below: 1.1 }],
    ['no name', { name: '' }],
    ['a digest that is none', { trained: { ...sampleModel().trained, data_sha256: 'abc' } }],
  ])('%s', (_, change) => {
    expect(() => parseModel({ ...good(), ...change })).toThrow()
  })

  test.each([undefined, null, 1, 'model', [], {}])('%j', (json) => {
    expect(() => parseModel(json)).toThrow()
  })
})

const SHIPPED = new URL('./model.json', import.meta.url)

test.skipIf(isMissing('model', existsSync(SHIPPED)))(
  'the shipped model loads and gives sane probabilities for a random walk',
  () => {
    const model = parseModel(JSON.parse(readFileSync(SHIPPED, 'utf8')))
    expect(loadModel()).toEqual(model)
    const volatility = 6e-4
    const own = createMinuteHistory()
    const forecaster = createForecaster({ model, own, others: [] })
    let [count, edge] = [0, 0]
    for (const candle of randomCandles({ seed: 'shipped', count: 3_000, volatility })) {
      own.apply(candle)
      forecaster.minuteClosed()
      if (!forecaster.isWarm) continue
      const p = forecaster.at(0, 0, forecaster.profile.left(0))
      // More than this at a window's start would be a leak or a mistake.
      expect(Math.abs(p - 0.5)).toBeLessThan(0.25)
      expect(forecaster.volatility / volatility).toBeGreaterThan(0.4)
      expect(forecaster.volatility / volatility).toBeLessThan(2.5)
      edge += Math.abs(p - 0.5)
      count++
      if (count % 50 !== 0) continue
      // Two deviations above the opening price with a minute to go.
      expect(forecaster.at(4, 2 * volatility, 1)).toBeGreaterThan(0.85)
      expect(forecaster.at(4, -2 * volatility, 1)).toBeLessThan(0.15)
      expect(forecaster.at(1, 2 * volatility, 4)).toBeGreaterThan(0.6)
    }
    expect(edge / count).toBeGreaterThan(0.002)
    expect(edge / count).toBeLessThan(0.08)
  },
)
