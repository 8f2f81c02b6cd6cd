import { expect, test } from 'vitest'
import { nextTier, TIER_NAMES, TIERS, tierOf } from './tiers.ts'

const UNIT = 10n ** 18n

test.each([
  [0n, 'none'],
  [UNIT - 1n, 'none'],
  [UNIT, 'holder'],
  [100n * UNIT - 1n, 'holder'],
  [100n * UNIT, 'premium'],
  [2n ** 255n, 'premium'],
])('%s units are %s', (units, name) => {
  expect(tierOf({ units, decimals: 18 }).name).toBe(name)
})

test('a token with other decimals has the same thresholds', () => {
  expect([0n, 1n, 99n, 100n].map((units) => tierOf({ units, decimals: 0 }).name)).toEqual([
    'none',
    'holder',
    'holder',
    'premium',
  ])
})

test('the next tier says what is missing', () => {
  expect(nextTier({ units: UNIT / 2n, decimals: 18 })).toEqual({ tier: TIERS[1], missing: 0.5 })
  expect(nextTier({ units: 40n * UNIT, decimals: 18 })).toEqual({ tier: TIERS[2], missing: 60 })
  expect(nextTier({ units: 100n * UNIT, decimals: 18 })).toBeUndefined()
})

test('every tier has its name in the list of names', () => {
  expect(TIERS.map(({ name }) => name)).toEqual(TIER_NAMES)
})
