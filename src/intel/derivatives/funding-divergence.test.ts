import { describe, expect, it } from 'vitest'
import { divergenceOf, spreadsOf, type VenueFunding, weightedMean } from './funding-divergence.ts'

const at = (venue: VenueFunding['venue'], bps: number, openInterestUsd = 1e9): VenueFunding => ({
  venue,
  funding8h: bps / 1e4,
  openInterestUsd,
})
const bps = (values: readonly number[]) => values.map((value) => value / 1e4)

describe('funding divergence', () => {
  it('weighs the mean by open interest and compares each venue with the others', () => {
    const found = divergenceOf([at('binance', 1, 2e9), at('okx', 5), at('bybit', 3)], [])
    expect(found?.mean8h).toBeCloseTo(2.5e-4, 12)
    expect(found?.spread8h).toBeCloseTo(4e-4, 12)
    expect(found?.highest.venue).toBe('okx')
    expect(found?.lowest.venue).toBe('binance')
    expect(found?.deviations[0]?.deviation8h).toBeCloseTo(-3e-4, 12)
    expect(found?.deviations[1]?.deviation8h).toBeCloseTo(3e-4, 12)
  })

  it('lets no venue weigh more than all others together', () => {
    const venues = [at('binance', 1, 8e8), at('okx', 1, 3e8), at('bybit', 1, 5e8)]
    expect(weightedMean([...venues, at('hyperliquid', 390, 4.9e10)])).toBeCloseTo(195.5e-4, 12)
    expect(weightedMean([at('binance', 1, 3e9), at('okx', 5, 1e9)])).toBeCloseTo(3e-4, 12)
    expect(weightedMean([at('binance', 2, 3e9), at('okx', 5, 0)])).toBeCloseTo(2e-4, 12)
  })

  it('needs two venues, and something that is open', () => {
    expect(divergenceOf([], [])).toBeUndefined()
    expect(divergenceOf([at('okx', 1)], [])).toBeUndefined()
    expect(divergenceOf([at('okx', 1, 0), at('bybit', 2, 0)], [])).toBeUndefined()
  })

  it('has no score before nine spans', () => {
    const venues = [at('binance', 0), at('okx', 3)]
    expect(divergenceOf(venues, bps(Array(8).fill(1)))).toMatchObject({ score: undefined, level: 'unknown' })
    expect(divergenceOf(venues, bps(Array(9).fill(1)))).toMatchObject({ level: 'extreme', pastSpans: 9 })
  })

  it('scores in units of the usual distance to the median', () => {
    // Median 3, median distance 1: a scale of 1.4826 basis points.
    const past = bps([1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5])
    const scoreOf = (spread: number) => divergenceOf([at('binance', 0), at('okx', spread)], past)
    expect(scoreOf(3)?.score).toBeCloseTo(0, 9)
    expect(scoreOf(3 + 1.4826)?.score).toBeCloseTo(1, 9)
    expect(scoreOf(3 + 2.0001 * 1.4826)?.level).toBe('elevated')
    expect(scoreOf(3 + 1.9999 * 1.4826)?.level).toBe('normal')
    expect(scoreOf(3 + 4.0001 * 1.4826)?.level).toBe('extreme')
  })

  it('does not call a quarter of a basis point unusual where nothing ever moved', () => {
    const found = divergenceOf([at('binance', 0), at('okx', 1.25)], bps(Array(21).fill(1)))
    expect(found?.score).toBeCloseTo(1, 9)
  })

  it('takes past spreads where two venues settled', () => {
    const sums = [
      new Map([
        [1, 1e-4],
        [2, 2e-4],
        [3, 0],
      ]),
      new Map([
        [2, 5e-4],
        [3, 1e-4],
      ]),
      new Map([[3, -1e-4]]),
    ]
    expect(spreadsOf(sums).map((spread) => Math.round(spread * 1e4))).toEqual([3, 2])
  })
})
