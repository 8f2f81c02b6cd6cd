import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import { powersAre, soundFigures } from '../../../testing/tokens/hand-made-tokens.ts'
import { rateRisk } from '../risk/rate-risk.ts'
import { POWERS, RISK_RATINGS, type TokenFigures, type Told } from '../token-analysis.ts'
import { judge } from '../token-analyst.ts'
import { SCORE_CAPS, scoreToken } from './score-token.ts'

const sound = soundFigures()
const told = <T>(value: T): Told<T> => ({ value, source: 'goplus' })
const componentOf = (figures: TokenFigures, name: string) => {
  const found = judge(figures).score.components.find((one) => one.name === name)
  if (!found) throw new Error(`no component ${name}`)
  return found
}

test('a token about which everything is known and nothing is bad has the full score', () => {
  expect(judge(sound).score).toMatchObject({ value: 100, sum: 100, cap: 100, confidence: 1 })
})

test('the weights sum up to 100', () => {
  expect(judge(sound).score.components.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
})

describe('each component at its edges', () => {
  const market = (over: Partial<TokenFigures['market']>) => ({
    ...sound,
    market: { ...sound.market, ...over },
  })
  const holders = (over: Partial<TokenFigures['holders']>) => ({
    ...sound,
    holders: { ...sound.holders, ...over },
  })
  test.each<[string, TokenFigures, number]>([
    ['liquidity', market({ liquidityUsd: 1_000 }), 0],
    ['liquidity', market({ liquidityUsd: 0 }), 0],
    ['liquidity', market({ liquidityUsd: 31_622.776601683792 }), 10],
    ['liquidity', market({ liquidityUsd: 1_000_000 }), 20],
    ['age', market({ ageMs: HOUR_MS }), 0],
    ['age', market({ ageMs: 180 * DAY_MS }), 10],
    ['holders', holders({ count: told(50) }), 0],
    ['holders', holders({ count: told(10_000) }), 5],
    ['spread', holders({ top10Share: told(0.15) }), 10],
    ['spread', holders({ top10Share: told(0.375) }), 5],
    ['spread', holders({ top10Share: told(0.6) }), 0],
    ['lock', holders({ lockedLiquidityShare: told(0.5) }), 2.5],
    ['taxes', { ...sound, taxes: { ...sound.taxes, buy: told(0.2) } }, 0],
    ['taxes', { ...sound, taxes: { ...sound.taxes, buy: told(0.1), sell: told(0) } }, 5],
    ['sellable', { ...sound, honeypot: { ...sound.honeypot, by: ['goplus'] } }, 14],
    ['sellable', { ...sound, honeypot: { ...sound.honeypot, verdict: 'yes', by: ['goplus'] } }, 0],
    ['powers', { ...sound, powers: { ...sound.powers, canMint: told(true) } }, 12],
    ['powers', { ...sound, powers: { ...sound.powers, canMint: told(true), isTrusted: true } }, 16],
    ['powers', { ...sound, powers: { ...sound.powers, canMint: undefined } }, 12],
    ['powers', { ...sound, powers: { ...sound.powers, canChangeBalances: told(true) } }, 0],
  ])('%s', (name, figures, points) => {
    expect(componentOf(figures, name).points).toBeCloseTo(points, 2)
  })
})

test('what is not known earns nothing and lowers the confidence', () => {
  const blind: TokenFigures = {
    ...sound,
    taxes: { buy: undefined, sell: undefined, transfer: undefined },
    powers: { ...powersAre(undefined), owner: undefined, isTrusted: false },
    honeypot: { verdict: 'unknown', by: [], told: [], isDisputed: false },
  }
  expect(judge(blind).score).toMatchObject({ sum: 50, value: 45, cap: 45, confidence: 0.5 })
  expect(componentOf(blind, 'sellable')).toMatchObject({ value: undefined, known: 0, points: 0 })
})

test('one power of eleven unknown leaves the rest of the component known', () => {
  const one = { ...sound, powers: { ...sound.powers, canMint: undefined } }
  expect(componentOf(one, 'powers').known).toBe(0.91)
  expect(judge(one).score.confidence).toBe(0.98)
})

// Properties over all figures that there can be.

const answer = fc.option(fc.boolean().map(told), { nil: undefined })
const share = fc.option(fc.double({ min: 0, max: 1, noNaN: true }).map(told), { nil: undefined })
const amount = (max: number) => fc.option(fc.double({ min: 0, max, noNaN: true }), { nil: undefined })
const verdicts = fc.constantFrom<TokenFigures['honeypot']>(
  { verdict: 'yes', by: ['goplus'], told: [], isDisputed: false },
  { verdict: 'no', by: ['goplus'], told: [], isDisputed: false },
  { verdict: 'no', by: ['honeypot.is', 'goplus'], told: [], isDisputed: false },
  { verdict: 'unknown', by: [], told: [], isDisputed: false },
)
const anyFigures: fc.Arbitrary<TokenFigures> = fc
  .record({
    market: fc.record({
      liquidityUsd: amount(1e9),
      fdvUsd: amount(1e15),
      ageMs: amount(1e12),
      buys24h: fc.option(fc.nat(5_000), { nil: undefined }),
      sells24h: fc.option(fc.nat(5_000), { nil: undefined }),
    }),
    change: fc.option(fc.double({ min: -100, max: 1e6, noNaN: true }), { nil: undefined }),
    count: fc.option(fc.nat(1e7).map(told), { nil: undefined }),
    shares: fc.record({
      top10Share: share,
      contractShare: share,
      creatorShare: share,
      ownerShare: share,
      lockedLiquidityShare: share,
    }),
    largest: share,
    taxes: fc.record({ buy: share, sell: share, transfer: share }),
    powers: fc.record(Object.fromEntries(POWERS.map((power) => [power, answer]))),
    isTrusted: fc.boolean(),
    honeypot: verdicts,
  })
  .map(({ market, change, count, shares, largest, taxes, powers, isTrusted, honeypot }) => ({
    ...sound,
    market: { ...sound.market, ...market, change: { ...sound.market.change, h24: change } },
    holders: { ...shares, count, largest: largest && told({ address: '0x1', share: largest.value }) },
    taxes,
    powers: { ...powersAre(undefined), ...powers, owner: undefined, isTrusted },
    honeypot,
  }))

test('the score is always between 0 and 100 and its own sum', () => {
  fc.assert(
    fc.property(anyFigures, (figures) => {
      const { score, risk } = judge(figures)
      const points = score.components.map((one) => one.points)
      expect(points.every((one, i) => one >= 0 && one <= (score.components[i]?.weight ?? 0))).toBe(true)
      expect(score.sum).toBeCloseTo(
        points.reduce((a, b) => a + b, 0),
        0,
      )
      expect(score.value).toBe(Math.min(score.sum, SCORE_CAPS[risk.rating]))
      expect(score.value).toBeGreaterThanOrEqual(0)
      expect(score.value).toBeLessThanOrEqual(100)
      expect(score.confidence).toBeGreaterThanOrEqual(0)
      expect(score.confidence).toBeLessThanOrEqual(1)
    }),
    { numRuns: 150 },
  )
})

/** Each makes one danger worse, or makes something unknown that was known to be good. */
const WORSE: Readonly<Record<string, (figures: TokenFigures) => TokenFigures>> = {
  ...Object.fromEntries(
    POWERS.map((power) => [
      power,
      (figures: TokenFigures) => ({ ...figures, powers: { ...figures.powers, [power]: told(true) } }),
    ]),
  ),
  honeypot: (figures) => ({
    ...figures,
    honeypot: { verdict: 'yes', by: ['goplus'], told: [], isDisputed: false },
  }),
  'sell tax': (figures) => ({
    ...figures,
    taxes: { ...figures.taxes, sell: told(Math.min(1, (figures.taxes.sell?.value ?? 1) + 0.07)) },
  }),
  liquidity: (figures) => ({
    ...figures,
    market: { ...figures.market, liquidityUsd: (figures.market.liquidityUsd ?? 0) / 20 },
  }),
  age: (figures) => ({ ...figures, market: { ...figures.market, ageMs: (figures.market.ageMs ?? 0) / 10 } }),
  fall: (figures) => ({
    ...figures,
    market: {
      ...figures.market,
      change: { ...figures.market.change, h24: Math.min(-85, figures.market.change.h24 ?? 0) },
    },
  }),
  'few sells': (figures) => ({
    ...figures,
    market: { ...figures.market, buys24h: Math.max(30, figures.market.buys24h ?? 0), sells24h: 0 },
  }),
  spread: (figures) => ({
    ...figures,
    holders: {
      ...figures.holders,
      top10Share: told(Math.min(1, (figures.holders.top10Share?.value ?? 1) + 0.2)),
    },
  }),
  'large holder': (figures) => ({
    ...figures,
    holders: {
      ...figures.holders,
      largest: told({ address: '0x1', share: Math.max(0.5, figures.holders.largest?.value.share ?? 0) }),
    },
  }),
  contracts: (figures) => ({ ...figures, holders: { ...figures.holders, contractShare: told(1) } }),
  lock: (figures) => ({ ...figures, holders: { ...figures.holders, lockedLiquidityShare: told(0) } }),
  report: (figures) => ({ ...figures, reports: [{ code: 'fake_token', source: 'goplus' }] }),
  'no longer trusted': (figures) => ({ ...figures, powers: { ...figures.powers, isTrusted: false } }),
}

test.each(Object.keys(WORSE))('worse in %s never means a better score or rating', (name) => {
  const worsen = WORSE[name]
  fc.assert(
    fc.property(anyFigures, (figures) => {
      const [before, after] = [judge(figures), judge(worsen?.(figures) ?? figures)]
      expect(after.score.value).toBeLessThanOrEqual(before.score.value)
      expect(RISK_RATINGS.indexOf(after.risk.rating)).toBeGreaterThanOrEqual(
        RISK_RATINGS.indexOf(before.risk.rating),
      )
    }),
    { numRuns: 60 },
  )
})

test('the cap follows the rating', () => {
  expect(scoreToken(sound, { rating: 'critical' })).toMatchObject({ sum: 100, cap: 10, value: 10 })
  expect(rateRisk(sound).rating).toBe('low')
})
