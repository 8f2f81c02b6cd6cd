import { expect, it } from 'vitest'
import { rounded, roundedText, significantText } from './decimal-text.ts'

it.each([
  [0.00000012345678, 4, '0.0000001235'],
  [1.3165, 4, '1.317'],
  [3737.24723, 4, '3737'],
  [1e-12, 15, '0.000000000001'],
  [28_806_315.1702108, 15, '28806315.1702108'],
  [100, 4, '100'],
  [0, 4, '0'],
  [-0.00051, 1, '-0.0005'],
])('%d with %i digits is %s', (value, digits, text) => {
  expect(significantText(value, digits)).toBe(text)
})

it.each([
  [12.3456, 2, '12.35'],
  [12, 2, '12'],
  [1200, 0, '1200'],
  [-0.0001, 2, '0'],
])('%d with up to %i decimals is %s', (value, decimals, text) => {
  expect(roundedText(value, decimals)).toBe(text)
  expect(rounded(value, decimals)).toBe(Number(text))
})
