import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAtomic, toAtomic, toDecimal, toUsdNumber, type Usd, usd } from './money.ts'

describe('money', () => {
  test('dollars become millionths', () => {
    expect([usd('0.012'), usd('0.0001'), usd('5'), usd('0')]).toEqual([12_000n, 100n, 5_000_000n, 0n])
  })

  test.each([
    '',
    ' 1',
    '1 ',
    '-1',
    '+1',
    '1e3',
    '0x10',
    '.5',
    '1.',
    '01',
    '0.0000001',
    'NaN',
    '1,5',
    '9999999999999',
  ])('refuses %j', (text) => expect(() => usd(text)).toThrow(RangeError))

  test.each(['', '1e4', '0x2710', '10000.0', '-1', '+1', '007', '1'.repeat(19), ' 1', '１'])(
    'refuses the atomic %j',
    (text) => expect(() => parseAtomic(text)).toThrow(RangeError),
  )

  test('every amount survives the way to text and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (millionths) => {
        const amount = millionths as Usd
        expect(usd(toDecimal(amount))).toBe(amount)
        expect(parseAtomic(toAtomic(amount))).toBe(amount)
      }),
    )
  })

  test('the JSON number of a price is the price', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (millionths) => {
        expect(toUsdNumber(millionths as Usd).toFixed(6)).toBe((Number(millionths) / 1e6).toFixed(6))
      }),
    )
  })
})
