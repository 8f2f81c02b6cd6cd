import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimalText } from './instrument.ts'

it('writes whole units as exact decimals', () => {
  expect(decimalText(123456, 2, 8)).toBe('1234.56000000')
  expect(decimalText(5, 4)).toBe('0.0005')
  expect(decimalText(-5, 2)).toBe('-0.05')
  expect(decimalText(7, 0)).toBe('7')
  expect(decimalText(0, 8)).toBe('0.00000000')
})

it('loses nothing', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 8 }), (units, decimals) => {
      expect(BigInt(decimalText(units, decimals, 8).replace('.', ''))).toBe(
        BigInt(units) * 10n ** BigInt(8 - decimals),
      )
    }),
  )
})
