import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowestPriceE4, priceBelowMidE4 } from './sale-price.ts'

const bookOf = (bid: number, ask: number) => ({ bids: [[bid, 1]] as const, asks: [[ask, 1]] as const })

test.each([
  [0.48, 0.5, 0.01, 4_500],
  [0.49, 0.5, 0.01, 4_500],
  [0.49, 0.5, 0.001, 4_550],
  [0.04, 0.06, 0.01, 100],
  [0.01, 0.02, 0.001, 10],
  [0.98, 0.99, 0.01, 9_400],
])('between %d and %d at a tick of %d: %d', (bid, ask, tick, price) => {
  expect(priceBelowMidE4(bookOf(bid, ask), tick)).toBe(price)
})

test('no midpoint where a side is empty, or the tick is none of ours', () => {
  expect(priceBelowMidE4({ bids: [], asks: [[0.5, 1]] }, 0.01)).toBeUndefined()
  expect(priceBelowMidE4({ bids: [[0.5, 1]], asks: [] }, 0.01)).toBeUndefined()
  expect(priceBelowMidE4(bookOf(0.4, 0.5), 0.03)).toBeUndefined()
})

test('it is a price of the market, and four cents below the midpoint or the lowest', () => {
  const cents = fc.integer({ min: 1, max: 99 })
  fc.assert(
    fc.property(cents, cents, (a, b) => {
      const price = priceBelowMidE4(bookOf(a / 100, b / 100), 0.01) ?? 0
      expect(price % 100).toBe(0)
      expect(price).toBe(Math.max(100, Math.floor((a + b) / 2 - 4) * 100))
    }),
  )
})

test('a sale at any price is for a cent at least', () => {
  expect(lowestPriceE4()).toBe(100)
})
