import { expect, it } from 'vitest'
import { subjectOf } from './subject.ts'

it.each([
  [['up-or-down', 'crypto-prices', 'hide-from-new', 'recurring', 'crypto', 'bitcoin', '5M'], 'crypto'],
  [['world-elections', 'global-elections', 'elections', 'politics', 'earn-4'], 'politics'],
  [['daily-temperature', 'nyc', 'world'], 'weather'],
  [['Sports', 'politics'], 'sports'],
  [['geopolitics', 'middle-east'], 'world'],
  [['economy', 'world'], 'economy'],
  [['hide-from-new', 'recurring'], 'other'],
  [['__proto__', 'constructor'], 'other'],
  [[], 'other'],
])('%j is about %s', (tags, subject) => {
  expect(subjectOf(tags)).toBe(subject)
})
