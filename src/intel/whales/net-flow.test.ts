import { expect, it } from 'vitest'
import { toNetFlow } from './net-flow.ts'

const flow = (...trades: readonly number[]) =>
  toNetFlow({
    buyUsd: trades.filter((usd) => usd > 0).reduce((sum, usd) => sum + usd, 0),
    sellUsd: -trades.filter((usd) => usd < 0).reduce((sum, usd) => sum + usd, 0),
    trades: trades.length,
    squares: trades.reduce((sum, usd) => sum + usd * usd, 0),
  })

it.each([
  ['four alike on one side', [1e6, 1e6, 1e6, 1e6], { zScore: 2, imbalance: 1, lean: 'buying' }],
  ['four sold', [-1e6, -1e6, -1e6, -1e6], { zScore: -2, imbalance: -1, lean: 'selling' }],
  ['three alike are too few', [1e6, 1e6, 1e6], { imbalance: 1, lean: undefined }],
  ['one giant among small ones says little', [5e7, 1e6, 1e6, 1e6], { lean: 'balanced' }],
  [
    'as much bought as sold',
    [1e6, -1e6, 2e6, -2e6],
    { netUsd: 0, zScore: 0, imbalance: 0, lean: 'balanced' },
  ],
  ['none', [], { netUsd: 0, zScore: undefined, imbalance: undefined, lean: undefined }],
])('%s', (_, trades, expected) => {
  expect(flow(...trades)).toMatchObject(expected)
})

it('stays within its bounds whatever the amounts', () => {
  for (const trades of [
    [1e-9, -1e-9, 1e-9, 1e-9],
    [1e12, -1e12, 1e12, 1e12],
    [1e12, 1e-9, -1e-9, 1],
  ]) {
    const { imbalance = Number.NaN, zScore = Number.NaN } = flow(...trades)
    expect(Math.abs(imbalance)).toBeLessThanOrEqual(1)
    expect(Math.abs(zScore)).toBeLessThanOrEqual(2)
  }
})
