import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../core/time/time.ts'
import { heardEnough } from './heard-enough.ts'

const heard = (minutes: number, span: 'hour' | 'day', bybit = 1) => {
  const coverage = { binance: 0, bybit, okx: 0 }
  const value = { spanMs: minutes * MINUTE_MS, longUsd: 1, shortUsd: 0, count: 1, coverage }
  return heardEnough({ source: 'bybit', status: 'fresh', asOfMs: 1, value }, span)
}

it('is no sum of a day after three minutes', () => {
  expect(heard(3, 'day')).toEqual({
    source: 'bybit',
    status: 'missing',
    reason: 'heard for 3 minutes of the last day, 720 are needed',
  })
  expect(heard(3, 'hour')).toMatchObject({
    status: 'missing',
    reason: /heard for 3 minutes of the last hour/,
  })
})

it('is one from half of its span on, of which one venue was listened to', () => {
  expect([heard(718, 'day').status, heard(719, 'day').status]).toEqual(['missing', 'fresh'])
  expect([heard(28, 'hour').status, heard(29, 'hour').status]).toEqual(['missing', 'fresh'])
  expect(heard(60, 'hour', 0.4).status).toBe('missing')
})
