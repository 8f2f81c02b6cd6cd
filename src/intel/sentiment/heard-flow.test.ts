import { expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import { heardFlow } from './heard-flow.ts'

const flowOf = (binance: number, coinbase: number, trades = 0) => {
  const ownMs = { binance: binance * MINUTE_MS, coinbase: coinbase * MINUTE_MS }
  const value = { spanMs: HOUR_MS, buyUsd: 0, sellUsd: 0, trades, ownMs }
  return heardFlow({ source: 'coinbase', status: 'fresh', asOfMs: 1, value })
}

it('is not known after a restart, and says how much was heard', () => {
  expect(flowOf(0, 0)).toEqual({
    source: 'coinbase',
    status: 'missing',
    reason: 'trades were heard in 0 minutes of the last hour, 30 are needed',
  })
  expect(flowOf(29.9, 3)).toMatchObject({ status: 'missing', reason: /heard in 29 minutes/ })
})

it('is known from half of the hour on at one venue, or with many trades', () => {
  expect(flowOf(0, 30)).toMatchObject({ status: 'fresh', value: { trades: 0 } })
  expect(flowOf(10, 10, 99).status).toBe('missing')
  expect(flowOf(10, 10, 100).status).toBe('fresh')
})

it('stays missing for its own reason', () => {
  const part = { source: 'coinbase', status: 'missing', reason: 'too old' } as const
  expect(heardFlow(part)).toBe(part)
})
