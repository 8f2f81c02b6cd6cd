import { describe, expect, it, test } from 'vitest'
import { labelOf, type MoodInput, marketRegime, summarize } from './mood.ts'

test.each([
  [-1, 'very_bearish'],
  [-0.6, 'bearish'],
  [-0.2001, 'bearish'],
  [-0.2, 'neutral'],
  [0, 'neutral'],
  [0.2, 'bullish'],
  [0.5999, 'bullish'],
  [0.6, 'very_bullish'],
  [1, 'very_bullish'],
])('%f is %s', (score, label) => {
  expect(labelOf(score)).toBe(label)
})

test('the regime of most coins counts, and of several that of the first coin', () => {
  expect(marketRegime(['choppy', 'trending', 'trending', 'neutral'])).toBe('trending')
  expect(marketRegime(['choppy', 'trending', 'trending', 'choppy'])).toBe('choppy')
  expect(marketRegime([])).toBeUndefined()
})

describe('the summary', () => {
  const input: MoodInput = {
    fearGreed: { value: 69, word: 'Greed', dayAgo: 71, weekAgo: undefined, monthAgo: undefined },
    coins: [
      { coin: 'BTC', score: 0.4, extremes: ['crowded_longs'] },
      { coin: 'ETH', score: 0.3, extremes: ['crowded_longs'] },
      { coin: 'SOL', score: 0, extremes: [] },
      { coin: 'XRP', score: -0.7, extremes: ['crowded_shorts'] },
    ],
    regime: 'mean_reversion',
    wholeMarket: {
      capUsd: 3e12,
      volume24hUsd: 1e11,
      dominance: { BTC: 58.25, ETH: undefined, SOL: undefined, XRP: undefined },
      capChange24hPercent: -1.26,
      volumeChange24hPercent: undefined,
      atMs: 1,
    },
  }

  it('says what the figures say', () => {
    expect(summarize(input)).toBe(
      'Fear and greed stands at 69 (greed), 2 lower than yesterday. BTC and ETH lean bullish; SOL is neutral; XRP leans very bearish. The usual regime of the last hour is mean reversion. By funding, longs of BTC and ETH are crowded, shorts of XRP are crowded. BTC is 58.3 % of the whole market, which lost 1.3 % in a day.',
    )
  })

  it('says nothing about what is not known', () => {
    const coins = input.coins.map((coin) => ({ ...coin, score: 0, extremes: [] }))
    const fearGreed = { ...input.fearGreed, dayAgo: undefined }
    expect(summarize({ fearGreed, coins, regime: undefined, wholeMarket: undefined })).toBe(
      'Fear and greed stands at 69 (greed). BTC, ETH, SOL and XRP are neutral.',
    )
    expect(summarize({ ...input, fearGreed: { ...fearGreed, dayAgo: 69 } })).toContain(
      '(greed), as yesterday.',
    )
  })
})
