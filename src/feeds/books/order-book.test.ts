import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOrderBook } from './order-book.ts'

test('a snapshot is sorted, empty levels are left out, and of two sizes at a price the later counts', () => {
  const book = createOrderBook({ maxLevels: 10 })
  book.load(
    [
      [99, 1],
      [100, 2],
      [98, 0],
      [99, 5],
    ],
    [
      [103, 1],
      [101.5, 2],
      [102, 3],
    ],
  )
  expect(book.top(2)).toEqual({
    bids: [
      [100, 2],
      [99, 5],
    ],
    asks: [
      [101.5, 2],
      [102, 3],
    ],
  })
})

test('prices that differ in the last decimal are different levels', () => {
  const book = createOrderBook({ maxLevels: 10 })
  book.load([[Number('0.00002245'), 1]], [])
  book.change('bids', [Number('0.00002246'), 2])
  book.change('bids', [Number('0.0000224500'), 3])
  expect(book.top(5).bids).toEqual([
    [0.00002246, 2],
    [0.00002245, 3],
  ])
})

test('beyond the most levels the worst of a side go', () => {
  const book = createOrderBook({ maxLevels: 2 })
  book.load(
    [
      [99, 1],
      [100, 1],
      [98, 1],
    ],
    [],
  )
  expect(book.top(5).bids).toEqual([
    [100, 1],
    [99, 1],
  ])
  book.change('bids', [101, 1])
  expect(book.top(5).bids).toEqual([
    [101, 1],
    [100, 1],
  ])
  book.change('bids', [50, 1])
  expect(book.top(5).bids).toEqual([
    [101, 1],
    [100, 1],
  ])
})

test('equals a plain map of levels', () => {
  const level = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 3 }))
  fc.assert(
    fc.property(fc.array(level), fc.array(level), (loaded, changes) => {
      const book = createOrderBook({ maxLevels: 100 })
      book.load(loaded, loaded)
      const plain = new Map(loaded.filter(([, size]) => size > 0))
      for (const change of changes) {
        book.change('bids', change)
        book.change('asks', change)
        if (change[1] === 0) plain.delete(change[0])
        else plain.set(...change)
        const asks = [...plain].sort(([a], [b]) => a - b)
        expect(book.top(5)).toEqual({ bids: asks.toReversed().slice(0, 5), asks: asks.slice(0, 5) })
      }
    }),
  )
})
