import { describe, expect, it } from 'vitest'
import { CASCADE_PARTS, type CascadeInput, cascadeRiskOf, WEIGHTS } from './cascade-risk.ts'

const CALM: CascadeInput = {
  openInterestUsd: 4e9,
  volume24hUsd: 10e9,
  openInterestChange24h: -0.02,
  funding8h: 1e-4,
  liquidations: { lastHourUsd: 1e6, usualHourUsd: 1e6 },
  volatilityRatio: 0.9,
}
const STRAINED: CascadeInput = {
  openInterestUsd: 16e9,
  volume24hUsd: 10e9,
  openInterestChange24h: 0.15,
  funding8h: 10e-4,
  liquidations: { lastHourUsd: 80e6, usualHourUsd: 8e6 },
  volatilityRatio: 3,
}
const scoreOf = (input: Partial<CascadeInput>) => cascadeRiskOf({ ...CALM, ...input })?.score

describe('cascade risk', () => {
  it('is 0 in calm, 100 where everything is strained, and never leaves that range', () => {
    expect(cascadeRiskOf(CALM)).toMatchObject({ score: 0, level: 'low', exposedSide: 'both', known: 1 })
    expect(cascadeRiskOf(STRAINED)).toMatchObject({ level: 'extreme', exposedSide: 'longs' })
    expect(cascadeRiskOf(STRAINED)?.score).toBeCloseTo(100, 9)
    const beyond = { ...STRAINED, volume24hUsd: 1, volatilityRatio: 1e9, funding8h: 1 }
    expect(cascadeRiskOf(beyond)?.score).toBeLessThanOrEqual(100)
  })

  it('weighs its parts by weights that sum to one', () => {
    expect(CASCADE_PARTS.reduce((sum, part) => sum + WEIGHTS[part], 0)).toBeCloseTo(1, 12)
    expect(scoreOf({ volume24hUsd: 2.5e9 })).toBeCloseTo(25, 9)
    expect(scoreOf({ openInterestChange24h: 0.15 })).toBeCloseTo(15, 9)
    expect(scoreOf({ funding8h: 10e-4 })).toBeCloseTo(20, 9)
    expect(scoreOf({ volatilityRatio: 3 })).toBeCloseTo(20, 9)
    expect(scoreOf({ liquidations: { lastHourUsd: 20e6, usualHourUsd: 2e6 } })).toBeCloseTo(20, 9)
  })

  it('rises halfway between calm and full', () => {
    expect(scoreOf({ openInterestUsd: 10e9 })).toBeCloseTo(12.5, 9)
    expect(scoreOf({ volatilityRatio: 2 })).toBeCloseTo(10, 9)
  })

  it('counts a burst only as far as it is large beside what is open', () => {
    const small = { lastHourUsd: 1e6, usualHourUsd: 1e3 }
    expect(scoreOf({ liquidations: small })).toBeCloseTo(20 * (1e6 / 4e9 / 0.005), 9)
    expect(scoreOf({ liquidations: { lastHourUsd: 20e6, usualHourUsd: 20e6 } })).toBe(0)
    expect(scoreOf({ liquidations: { lastHourUsd: 0, usualHourUsd: 0 } })).toBe(0)
    expect(scoreOf({ liquidations: { lastHourUsd: 20e6, usualHourUsd: 0 } })).toBeCloseTo(20, 9)
  })

  it('names who pays: longs above the neutral rate, shorts below it', () => {
    expect(cascadeRiskOf({ ...CALM, funding8h: 3e-4 })?.exposedSide).toBe('longs')
    expect(cascadeRiskOf({ ...CALM, funding8h: -3e-4 })?.exposedSide).toBe('shorts')
    expect(cascadeRiskOf({ ...CALM, funding8h: undefined })?.exposedSide).toBe('both')
  })

  it('spreads the weight of what is not known over the rest', () => {
    const found = cascadeRiskOf({
      ...CALM,
      liquidations: undefined,
      volatilityRatio: undefined,
      volume24hUsd: 2.5e9,
    })
    expect(found?.known).toBeCloseTo(0.6, 9)
    expect(found?.score).toBeCloseTo((100 * 0.25) / 0.6, 9)
    expect(found?.parts.liquidations).toBeUndefined()
  })

  it('has no score where less than three fifths are known', () => {
    expect(cascadeRiskOf({ ...CALM, volume24hUsd: undefined, funding8h: undefined })).toBeUndefined()
    expect(cascadeRiskOf({ ...CALM, volume24hUsd: 0, funding8h: undefined })).toBeUndefined()
    expect(cascadeRiskOf({ ...CALM, openInterestUsd: 0 })?.parts.liquidations).toBeUndefined()
  })
})
