import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bookAt, HOSTILE, START_MS } from '../../testing/signals/indicator-events.ts'
import { createMicroPrice } from './micro-price.ts'

test('it lies nearer to the side with less size', () => {
  const micro = createMicroPrice()
  expect(micro.read()).toBeUndefined()
  micro.book(bookAt(0, [[99, 3]], [[101, 1]]))
  expect(micro.read()).toEqual({ price: 100.5, offsetBps: 50, imbalance: 0.5, asOfMs: START_MS })
  micro.book(bookAt(5, [[99, 1]], [[101, 3]]))
  expect(micro.read()).toEqual({ price: 99.5, offsetBps: -50, imbalance: -0.5, asOfMs: START_MS + 5 })
})

test('a late book is the newest we know and does not move time back', () => {
  const micro = createMicroPrice()
  micro.book(bookAt(10, [[99, 1]], [[101, 1]]))
  micro.book(bookAt(0, [[99, 3]], [[101, 1]]))
  expect(micro.read()).toMatchObject({ price: 100.5, asOfMs: START_MS + 10 })
})

test('a book in doubt or beyond use gives none, and the next good one does', () => {
  const micro = createMicroPrice()
  const good = bookAt(0, [[99, 3]], [[101, 1]])
  micro.book(good)
  micro.lost()
  expect(micro.read()).toBeUndefined()
  const beyondUse = [
    ...HOSTILE.map((bad) => bookAt(0, [[99, bad]], [[101, 1]])),
    ...HOSTILE.map((bad) => bookAt(0, [[99, 1]], [[101, bad]])),
    ...HOSTILE.map((bad) => bookAt(0, [[bad, 1]], [[101, 1]])),
    bookAt(0, [], [[101, 1]]),
    bookAt(0, [[99, 1]], []),
    bookAt(0, [[101, 1]], [[101, 1]]),
    bookAt(Number.NaN, [[99, 1]], [[101, 1]]),
  ]
  for (const bad of beyondUse) {
    micro.book(good)
    expect(micro.read()).toBeDefined()
    micro.book(bad)
    expect(micro.read()).toBeUndefined()
  }
})

test('it lies between bid and ask, and the unit of prices does not change its distance', () => {
  const size = fc.double({ min: 1e-8, max: 1e8, noNaN: true })
  const price = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(price, fc.integer({ min: 1, max: 1_000 }), size, size, (bid, spread, bidSize, askSize) => {
      const [plain, scaled] = [createMicroPrice(), createMicroPrice()]
      plain.book(bookAt(0, [[bid, bidSize]], [[bid + spread, askSize]]))
      scaled.book(bookAt(0, [[bid * 0.37, bidSize]], [[(bid + spread) * 0.37, askSize]]))
      const reading = plain.read()
      const weighted = (bid * askSize + (bid + spread) * bidSize) / (bidSize + askSize)
      expect(Math.abs((reading?.price ?? 0) / weighted - 1)).toBeLessThan(1e-12)
      expect(reading?.price).toBeGreaterThanOrEqual(bid)
      expect(reading?.price).toBeLessThanOrEqual(bid + spread)
      expect(Math.abs((scaled.read()?.offsetBps ?? 0) - (reading?.offsetBps ?? 1))).toBeLessThan(1e-6)
    }),
  )
})
