import { describe, expect, it, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { derivativesOf, freshPart, missingPart } from '../../testing/products/hand-made-sentiment.ts'
import { blend, type Parts, type Weights } from './blend.ts'
import { fundingAcross } from './funding.ts'
import { extremesOf, scoreFearGreed, scoreFlow, scoreFunding, scoreProbability } from './scores.ts'
import { BASIC_WEIGHTS, COMPOSITE_WEIGHTS } from './sentiment.ts'

const mood = (value: number) =>
  ({ value, word: 'Fear', dayAgo: undefined, weekAgo: undefined, monthAgo: undefined }) as const
const funding = (funding8h: number) => ({ funding8h, openInterestUsd: 1, venues: [] })
const flow = (buyUsd: number, sellUsd: number, trades: number) => scoreFlow({ buyUsd, sellUsd, trades })

describe('scores', () => {
  test.each([
    [0, -1],
    [50, 0],
    [69, 0.38],
    [100, 1],
  ])('fear and greed of %d is %f', (value, score) => {
    expect(scoreFearGreed(mood(value)).score).toBeCloseTo(score, 12)
  })

  test('a flow of few trades counts little, and one without trades is neutral', () => {
    expect(flow(0, 0, 0)).toEqual({ score: 0, reading: 0, trades: 0 })
    expect(flow(1e6, 0, 1)).toEqual({ score: 1 / 6, reading: 1, trades: 1 })
    expect(flow(1e6, 0, 5).score).toBe(0.5)
    expect(flow(1e6, 3e6, 995).score).toBeCloseTo(-0.5 * 0.995, 12)
  })

  test('funding is neutral where venues balance, and bounded', () => {
    expect(scoreFunding(funding(0.0001))).toEqual({ score: 0, reading: 0.01 })
    expect(scoreFunding(funding(0.0004)).score).toBeCloseTo(Math.tanh(1), 12)
    expect(scoreFunding(funding(-0.0002)).score).toBeCloseTo(-Math.tanh(1), 12)
    expect(scoreFunding(funding(1)).score).toBe(1)
  })

  test('a probability', () => {
    expect([0, 0.5, 1].map((p) => scoreProbability(p).score)).toEqual([-1, 0, 1])
  })

  test('extremes begin at their thresholds', () => {
    expect(extremesOf(mood(76), funding(0.0005))).toEqual(['extreme_greed', 'crowded_longs'])
    expect(extremesOf(mood(25), funding(-0.0003))).toEqual(['extreme_fear', 'crowded_shorts'])
    expect(extremesOf(mood(75), funding(0.00049))).toEqual([])
    expect(extremesOf(mood(26), funding(-0.00029))).toEqual([])
    expect(extremesOf(undefined, undefined)).toEqual([])
  })
})

describe('funding over the venues', () => {
  const clock = createManualClock(1_000)
  it('weighs them by open interest, and leaves out those that are missing', () => {
    const part = fundingAcross(
      derivativesOf((venue) => {
        if (venue === 'binance') return { funding8h: 0.0004, openInterestUsd: 3e9 }
        return venue === 'okx' ? { funding8h: 0, openInterestUsd: 1e9 } : undefined
      }, clock),
      'BTC',
    )
    expect(part).toMatchObject({
      source: 'binance+okx',
      status: 'fresh',
      asOfMs: 1_000,
      value: { openInterestUsd: 4e9, venues: ['binance', 'okx'] },
    })
    expect(part.value?.funding8h).toBeCloseTo(0.0003, 12)
  })

  it('takes the plain mean where no venue has open interest, and is missing without a venue', () => {
    const even = derivativesOf(
      (venue) => ({ funding8h: venue === 'okx' ? 0.0004 : 0, openInterestUsd: 0 }),
      clock,
    )
    expect(fundingAcross(even, 'BTC').value?.funding8h).toBeCloseTo(0.0001, 12)
    const none = derivativesOf(() => undefined, clock)
    expect(fundingAcross(none, 'BTC')).toMatchObject({ status: 'missing', reason: 'of no venue: made up' })
  })

  it('is as old as its oldest venue', () => {
    const derivatives = derivativesOf(() => ({ funding8h: 0, openInterestUsd: 1 }), clock)
    const { perpetual } = derivatives
    const part = fundingAcross(
      {
        perpetual: (venue, coin) => {
          const found = perpetual(venue, coin)
          return venue === 'bybit' && found.status === 'fresh'
            ? { ...found, status: 'aged', asOfMs: 400 }
            : found
        },
      },
      'BTC',
    )
    expect(part).toMatchObject({ status: 'aged', asOfMs: 400 })
  })
})

describe('a blend', () => {
  const known = (score: number) => freshPart('made up', { score, reading: 0 }, 1)
  const parts = (some: Partial<Parts>): Parts => {
    const none = missingPart('made up')
    return {
      fear_greed: none,
      momentum: none,
      whale_flow: none,
      funding: none,
      prediction_market: none,
      signal: none,
      ...some,
    }
  }

  test.each<[string, Weights]>([
    ['basic', BASIC_WEIGHTS],
    ['composite', COMPOSITE_WEIGHTS],
  ])('the %s weights make 1, and no part has half of it', (_, weights) => {
    const all = Object.values(weights)
    expect(all.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12)
    expect(Math.max(...all)).toBeLessThan(0.5)
  })

  it('is the weighted sum of its parts', () => {
    const all = parts({ fear_greed: known(0.38), momentum: known(0.66), whale_flow: known(0.26) })
    const made = blend(BASIC_WEIGHTS, all)
    expect(made.score).toBeCloseTo(0.456, 12)
    expect(made).toMatchObject({ missing: undefined })
    expect(made.parts.map(({ weight, weightUsed }) => weightUsed - weight)).toEqual([0, 0, 0])
  })

  it.each(Object.entries(COMPOSITE_WEIGHTS))('is moved by %s by no more than its weight', (name, weight) => {
    const all = Object.fromEntries(Object.keys(COMPOSITE_WEIGHTS).map((each) => [each, known(0)]))
    expect(blend(COMPOSITE_WEIGHTS, parts({ ...all, [name]: known(1) })).score).toBeCloseTo(weight, 12)
  })

  it('spreads the weight of a missing part over the others', () => {
    const made = blend(BASIC_WEIGHTS, parts({ fear_greed: known(1), momentum: known(-1) }))
    expect(made.weightKnown).toBeCloseTo(0.7, 12)
    expect(made.score).toBeCloseTo(3 / 7 - 4 / 7, 12)
    const used = made.parts.map(({ weightUsed }) => weightUsed)
    expect(used[2]).toBe(0)
    expect(used.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12)
  })

  it('has no score without momentum, or with less than half of the weight', () => {
    expect(blend(BASIC_WEIGHTS, parts({ fear_greed: known(1), whale_flow: known(1) }))).toMatchObject({
      score: undefined,
      missing: 'momentum is missing: made up',
    })
    expect(blend(BASIC_WEIGHTS, parts({ momentum: known(1) }))).toMatchObject({
      score: undefined,
      missing: 'only 40 % of the weight is known, 50 % is needed',
    })
    expect(blend(COMPOSITE_WEIGHTS, parts({}))).toMatchObject({ score: undefined, weightKnown: 0 })
  })

  it('has one with exactly half of the weight', () => {
    const made = blend(COMPOSITE_WEIGHTS, parts({ momentum: known(1), funding: known(1) }))
    expect(made.weightKnown).toBeCloseTo(0.5, 12)
    expect(made.score).toBeCloseTo(1, 12)
  })
})
