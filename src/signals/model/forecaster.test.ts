import { describe, expect, test } from 'vitest'
import { randomCandles, without } from '../../testing/signals/random-candles.ts'
import { blankModel, sampleModel } from '../../testing/signals/sample-model.ts'
import type { ClosedCandle } from '../history/closed-candle.ts'
import { createMinuteHistory, type MinuteHistory } from '../history/minute-history.ts'
import { WARM_MINUTES } from './features.ts'
import { createForecaster, type Forecaster } from './forecaster.ts'
import type { Model } from './model.ts'

type Running = { forecaster: Forecaster; history: MinuteHistory; close(candle: ClosedCandle): void }

function start(model: Model): Running {
  const history = createMinuteHistory()
  const forecaster = createForecaster({ model, own: history, others: [] })
  const close = (candle: ClosedCandle) => {
    history.apply(candle)
    forecaster.minuteClosed()
  }
  return { forecaster, history, close }
}

function ranOn(model: Model, candles: readonly ClosedCandle[]): Running {
  const running = start(model)
  for (const candle of candles) running.close(candle)
  return running
}

const candles = randomCandles({ seed: 'forecaster', count: 1_500 })
const logit = (p: number) => Math.log(p / (1 - p))

test('is warm after half a day of minutes, not before', () => {
  const { forecaster, close } = ranOn(sampleModel(), candles.slice(0, WARM_MINUTES - 1))
  expect(forecaster.isWarm).toBe(false)
  expect(forecaster.volatility).toBeNaN()
  close(candles[WARM_MINUTES - 1] as ClosedCandle)
  expect(forecaster.isWarm).toBe(true)
  expect(forecaster.volatility).toBeGreaterThan(1e-4)
})

test('abstains for an hour after a gap, however sure it is', () => {
  const { forecaster, close } = ranOn(sampleModel(), candles.slice(0, 1_000))
  const rest = candles.slice(1_002)
  expect(forecaster.verdict(0.9).abstain).toBe(false)
  for (const candle of rest.slice(0, 60)) close(candle)
  expect(forecaster.verdict(0.9)).toMatchObject({ abstain: true, confidence: 0.9, direction: 'UP' })
  close(rest[60] as ClosedCandle)
  expect(forecaster.verdict(0.9).abstain).toBe(false)
})

describe('at', () => {
  const { forecaster } = ranOn(sampleModel(), candles.slice(0, 1_200))

  test('rises with the distance and stays a probability', () => {
    for (const elapsedMin of [0, 0.3, 1, 2.5, 3.99, 4, 4.99]) {
      let before = 0
      for (let distance = -0.02; distance <= 0.02; distance += 2e-4) {
        const p = forecaster.at(elapsedMin, distance, forecaster.profile.left(elapsedMin))
        expect(p).toBeGreaterThanOrEqual(before)
        expect(p).toBeGreaterThan(0)
        expect(p).toBeLessThanOrEqual(1)
        before = p
      }
      expect(before).toBeGreaterThan(0.99)
    }
  })

  test('has no jumps as time passes, from head to head', () => {
    for (const distance of [-1e-3, 0, 2e-4, 1e-3]) {
      let before = forecaster.at(0, distance, forecaster.profile.left(0))
      for (let ms = 50; ms <= 290_000; ms += 50) {
        const p = forecaster.at(ms / 60_000, distance, forecaster.profile.left(ms / 60_000))
        expect(Math.abs(p - before)).toBeLessThan(1e-3)
        before = p
      }
    }
  })

  test('a fixed distance says more the less is to come', () => {
    const { forecaster } = ranOn(blankModel(), candles.slice(0, 1_200))
    const sure = [0, 1, 2, 3, 4].map((min) => forecaster.at(min, 1e-3, forecaster.profile.left(min)))
    expect(sure).toEqual([...sure].sort((a, b) => a - b))
  })

  test('is the head of the minute on a whole minute, and between two heads in between', () => {
    const flat = blankModel()
    const heads = flat.heads.map((head, at) => ({ ...head, slope: 0, bend: 0, curve: 0, intercept: at / 10 }))
    // Too few windows have closed to correct anything visible.
    const { forecaster } = ranOn({ ...flat, heads }, candles.slice(0, WARM_MINUTES))
    for (const elapsedMin of [0, 1, 2, 3, 4, 0.25, 2.5, 3.75])
      expect(logit(forecaster.at(elapsedMin, 0, 1))).toBeCloseTo(elapsedMin / 10, 9)
    expect(logit(forecaster.at(4.9, 0, 1))).toBeCloseTo(0.4, 9)
  })

  test('the last instant of a window is certain, and a tie then is not NaN', () => {
    expect(forecaster.at(5, 1e-6, forecaster.profile.left(5))).toBeGreaterThan(0.999)
    expect(forecaster.at(5, -1e-6, forecaster.profile.leftOfMean(5))).toBeLessThan(0.001)
    expect(forecaster.at(5, 0, 0)).toBeGreaterThan(0.3)
  })
})

describe('opening', () => {
  const peeked = (running: Running, candle: ClosedCandle) =>
    running.history.peek(candle, () => running.forecaster.opening(0, running.forecaster.profile.left(0)))
  const readings = ({ forecaster }: Running) =>
    [0, 0.5, 1, 2.2, 4.7].map((min) => forecaster.at(min, 3e-4, forecaster.profile.left(min)))

  test('of a peeked minute equals that of the window once the minute has closed', () => {
    // The last minute of the warm-up ends at the start of a window; nothing has been learnt by then.
    const running = ranOn(sampleModel(), candles.slice(0, WARM_MINUTES - 1))
    const said = peeked(running, candles[WARM_MINUTES - 1] as ClosedCandle)
    running.close(candles[WARM_MINUTES - 1] as ClosedCandle)
    expect(said).toBe(running.forecaster.at(0, 0, running.forecaster.profile.left(0)))
    expect(Math.abs(said - 0.5)).toBeGreaterThan(1e-3)
  })

  test('changes neither the probability of the open window nor anything later', () => {
    const [asked, calm] = [start(sampleModel()), start(sampleModel())]
    const strange = { open: 1, high: 9, low: 0.5, close: 7, volume: 1e6 }
    candles.forEach((candle, at) => {
      asked.close(candle)
      calm.close(candle)
      if (at < WARM_MINUTES) return
      peeked(asked, { ...strange, openMs: asked.history.endMs })
      asked.forecaster.opening(1e-3, 2)
      expect(readings(asked)).toEqual(readings(calm))
    })
  })

  test('weighs a distance as a minute later does', () => {
    const { forecaster } = ranOn(blankModel(), candles.slice(0, WARM_MINUTES))
    expect(forecaster.opening(0, 5)).toBe(0.5)
    expect(forecaster.opening(5e-4, 5)).toBeCloseTo(forecaster.at(1, 5e-4, 5), 12)
    expect(forecaster.opening(5e-4, 5)).toBeGreaterThan(0.55)
  })
})

describe('learning from closed windows', () => {
  const shiftOf = (forecaster: Forecaster, min: number) => logit(forecaster.at(min, 0, 1))

  test('windows that keep closing UP raise the probability of a blank model', () => {
    const rising = randomCandles({ seed: 'rising', count: 4_000, common: 0 }).map((candle, at) => {
      const drift = Math.exp(2e-3 * at)
      return {
        ...candle,
        open: candle.open * drift,
        high: candle.high * drift,
        low: candle.low * drift,
        close: candle.close * drift,
      }
    })
    const { forecaster } = ranOn(blankModel(), rising)
    for (const min of [0, 1, 2, 3, 4]) expect(shiftOf(forecaster, min)).toBeGreaterThan(0)
    expect(shiftOf(forecaster, 0)).toBeGreaterThan(0.02)
  })

  test('nothing is learnt from a window with a gap in it, nor across one', () => {
    // From minute 720 on each window lacks its third minute.
    const holed = candles.filter((_, at) => at < 720 || at % 5 !== 2)
    const { forecaster } = ranOn(blankModel(), holed)
    const whole = ranOn(blankModel(), candles)
    expect(shiftOf(forecaster, 0)).toBeCloseTo(0, 12)
    expect(shiftOf(whole.forecaster, 0)).not.toBeCloseTo(0, 4)
  })

  test('a gap at a window’s boundary does not mix two windows', () => {
    // The minute that ends at 730 is missing: neither the window before it nor the one after it has a whole story.
    const holed = ranOn(blankModel(), without(candles.slice(0, 735), 729, 730))
    const before = ranOn(blankModel(), candles.slice(0, 725))
    const whole = ranOn(blankModel(), candles.slice(0, 735))
    expect(shiftOf(holed.forecaster, 0)).toBe(shiftOf(before.forecaster, 0))
    expect(shiftOf(whole.forecaster, 0)).not.toBe(shiftOf(before.forecaster, 0))
  })

  test('the profile learns from minutes that followed each other', () => {
    const calm = blankModel({ profile: [1, 1, 1, 1, 1] })
    const { forecaster } = ranOn(calm, candles)
    // 156 windows of usual minutes: within a few hundredths of what it was.
    expect(forecaster.profile.left(0)).not.toBe(5)
    expect(forecaster.profile.left(0)).toBeCloseTo(5, 0)
  })
})
