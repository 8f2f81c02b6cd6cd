import { expect, it } from 'vitest'
import { amount, fundingRate } from './fields.ts'

it.each([
  ['a rate', fundingRate, '0.04', '0.0401'],
  ['a negative rate', fundingRate, '-0.04', '-0.0401'],
  ['an amount', amount, '1e12', '1.01e12'],
])('%s can be so high and no higher', (_, field, most, beyond) => {
  expect(field().safeParse(most).success).toBe(true)
  expect(field().safeParse(beyond).success).toBe(false)
})
