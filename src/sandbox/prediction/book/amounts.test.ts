import fc from 'fast-check'
import { expect, it } from 'vitest'
import { affordableE6, collateralE6, LOT_E6, takerFeeE6 } from './amounts.ts'

it('charges the fee that was seen on the chain', () => {
  expect(takerFeeE6(3_600, 108_000_000)).toBe(1_741_820)
  expect(takerFeeE6(5_000, 1_000_000)).toBe(17_500)
  expect(takerFeeE6(9_000, 1_000_000)).toBe(6_300)
})

it('rounds the fee to five decimals, half up', () => {
  // 0.01 shares at 0.50 are 0.000175, at 0.01 they are 0.00000693.
  expect(takerFeeE6(5_000, 10_000)).toBe(180)
  expect(takerFeeE6(100, 10_000)).toBe(10)
})

const price = fc.integer({ min: 1, max: 9_999 })
const lots = fc.integer({ min: 1, max: 1_000_000_000 })

it('is the same for both tokens, never negative, and off by half a step at most', () => {
  fc.assert(
    fc.property(price, lots, (priceE4, count) => {
      const sharesE6 = count * LOT_E6
      const fee = takerFeeE6(priceE4, sharesE6)
      expect(fee).toBe(takerFeeE6(10_000 - priceE4, sharesE6))
      expect(fee % 10).toBe(0)
      const exactE16 = BigInt(sharesE6) * 7n * BigInt(priceE4) * BigInt(10_000 - priceE4)
      const offBy = BigInt(fee) * 10_000_000_000n - exactE16
      expect(offBy <= 50_000_000_000n && offBy > -50_000_000_000n).toBe(true)
    }),
  )
})

it('knows the cost of whole lots exactly, and never spends more than there is', () => {
  fc.assert(
    fc.property(price, lots, fc.integer({ min: 1, max: 1e12 }), (priceE4, count, spendE6) => {
      const sharesE6 = count * LOT_E6
      expect(BigInt(collateralE6(priceE4, sharesE6)) * 10_000n).toBe(BigInt(priceE4) * BigInt(sharesE6))
      expect(collateralE6(priceE4, sharesE6) + collateralE6(10_000 - priceE4, sharesE6)).toBe(sharesE6)
      const bought = affordableE6(spendE6, priceE4)
      expect(collateralE6(priceE4, bought)).toBeLessThanOrEqual(spendE6)
      expect(collateralE6(priceE4, bought + LOT_E6)).toBeGreaterThan(spendE6)
    }),
  )
})
