import { describe, expect, test } from 'vitest'
import { findForeignNumber } from './check-numbers.ts'
import type { Fact } from './fact.ts'

const fact = (value: number, unit: NonNullable<Fact['unit']>, more: Partial<Fact> = {}): Fact => ({
  id: `${unit}_${value}`,
  says: '',
  value,
  unit,
  source: 'test',
  ...more,
})
const FACTS = [
  fact(1_240_000, 'usd'),
  fact(0.0000123, 'usd'),
  fact(12.3, 'percent'),
  fact(-5.2, 'percent', { isChange: true }),
  fact(7.4, 'percent', { isChange: true }),
  fact(48_200, 'count'),
  fact(3, 'count'),
  fact(1, 'percent'),
  fact(45, 'days'),
  fact(61.2, 'score'),
]

describe('numbers that facts support', () => {
  test.each([
    'The pools hold $1,240,000.',
    'The pools hold $1.24 million.',
    'The pools hold $1.2 million.',
    'The pools hold $1.24M, or 1.24 million dollars.',
    'The pools hold 1,240,000 USD.',
    'A token costs $0.0000123.',
    'A sale is taxed 12.3%, or 12 percent.',
    'It fell 5.2% in 24 hours.',
    'It is down 5% in 24 hours and up 7.4% in the last hour.',
    'The ten largest of its 48,200 holders, or 48 thousand, own it.',
    'The top 10 holders own it.',
    'Three pools trade it, or 3 pools.',
    'It is 45 days old and scores 61 of 100.',
    'Its score is 61.2/100.',
    'Nobody knows more about this one.',
  ])('%s', (text) => {
    expect(findForeignNumber(text, FACTS)).toBeUndefined()
  })
})

describe('numbers that no fact supports', () => {
  test.each([
    ['The pools hold $1.3 million.', 'in no fact'],
    ['The pools hold $1 million.', 'in no fact'],
    ['The pools hold $1.24 billion.', 'in no fact'],
    ['The pools hold $1240.', 'in no fact'],
    // The right number in another unit is another statement.
    ['A sale is taxed $12.3.', 'in no fact'],
    ['It has 12.3 holders.', 'in no fact'],
    ['It is 48,200 days old.', 'in no fact'],
    ['It owns 45% of the supply.', 'in no fact'],
    ['It is 45 dollars.', 'in no fact'],
    ['It has 7 pools.', 'in no fact'],
    ['It will be worth 100.', 'in no fact'],
    ['It keeps 100% of it.', 'in no fact'],
    ['A gain of 10x is near.', 'cannot be read'],
    ['It has 3,24 pools.', 'cannot be read'],
    ['It has 3rd party pools.', 'cannot be read'],
    ['It has v2pools.', 'cannot be read'],
    ['It has 1.2.3 pools.', 'in no fact'],
    ['It rose 5.2% in 24 hours.', 'wrong direction'],
    ['It is up 5%.', 'wrong direction'],
    ['It lost 7.4% in the last hour.', 'wrong direction'],
    ['It has nine pools.', 'a count in letters'],
    ['It holds a million dollars.', 'an amount in letters'],
    ['It may double within days.', 'an amount in letters'],
    ['It may grow tenfold.', 'an amount in letters'],
    ['Half of it is locked.', 'an amount in letters'],
  ])('%s', (text, fault) => {
    expect(findForeignNumber(text, FACTS)).toContain(fault)
  })

  test('zero is only zero', () => {
    const zero = [fact(0, 'percent')]
    expect(findForeignNumber('It is taxed 0%.', zero)).toBeUndefined()
    expect(findForeignNumber('It is taxed 0%.', [fact(0.3, 'percent')])).toBeDefined()
    expect(findForeignNumber('It is taxed 0.1%.', zero)).toBeDefined()
  })

  test('without facts there are no numbers', () => {
    expect(findForeignNumber('It has 1 holder.', [])).toBeDefined()
    expect(findForeignNumber('It has holders.', [])).toBeUndefined()
  })
})
